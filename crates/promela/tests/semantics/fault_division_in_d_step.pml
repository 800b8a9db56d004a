/* A division by zero inside a d_step. */
byte x = 3, y;
active proctype p() { d_step { x = 0; y = 6 / x } }
