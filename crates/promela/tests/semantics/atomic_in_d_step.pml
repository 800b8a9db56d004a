/* An atomic sequence inside a d_step is part of the d_step. */
byte x;
active proctype p() { d_step { x = 1; atomic { x = 2; x = 3 }; x = 4 }; x = 5 }
active proctype q() { x > 0; x = 20 }
