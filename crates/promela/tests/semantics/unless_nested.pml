/* The escape of the outer unless goes before the inner one. */
byte x, y;
active proctype p() { { { y = 1; y = 2; y = 3 } unless { x == 1 -> y = 10 } } unless { x == 2 -> y = 20 } }
active proctype q() { x = 1; x = 2 }
