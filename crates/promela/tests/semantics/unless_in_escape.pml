/* Inside an escape another escape. */
byte x, y;
active proctype p() { { y = 1; y == 9 } unless { { x > 0 -> y = 2; y = 3; y == 8 } unless { x == 2 -> y = 4 } } }
active proctype q() { x = 1; x = 2 }
