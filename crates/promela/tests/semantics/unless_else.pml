/* A main sequence with else, and an escape. */
byte x, y;
active proctype p() { { if :: y == 1 -> x = 1 :: else -> x = 2 fi; x = 3 } unless { y == 2 -> x = 4 } }
active proctype q() { y = 1; y = 2 }
