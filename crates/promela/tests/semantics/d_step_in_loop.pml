/* A d_step as an option of a loop with a break beside it. */
byte x, y;
active proctype p() { do :: d_step { x < 3 -> x++; y = y + x } :: x > 1 -> break od }
active proctype q() { y == 3; y = 0 }
