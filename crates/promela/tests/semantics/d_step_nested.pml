/* A d_step inside a d_step. */
byte x;
active proctype p() { d_step { x = 1; d_step { x = 2; x = 3 }; x = 4 } }
active proctype q() { x > 0; x = x + 1 }
