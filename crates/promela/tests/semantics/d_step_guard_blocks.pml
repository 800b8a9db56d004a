/* A d_step waits at its guard. */
byte x;
active proctype p() { d_step { x == 1 -> x = 2; x = 3 } }
active proctype q() { x = 1; x == 3; x = 4 }
