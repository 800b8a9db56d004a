/* A failed assertion inside a d_step is an error, and the d_step goes on. */
byte x;
active proctype p() { d_step { x = 1; assert(x == 2); x = 3 }; x = 4 }
active proctype q() { x == 3; x = 5 }
