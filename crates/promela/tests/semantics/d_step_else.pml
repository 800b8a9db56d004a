/* Else inside a d_step. */
byte x, y;
active proctype p() { d_step { if :: y == 1 -> x = 1 :: else -> x = 2 fi; y = 0 } }
active proctype q() { y = 1 }
