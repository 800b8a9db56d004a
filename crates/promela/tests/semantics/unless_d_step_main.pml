/* A d_step in the main sequence is not escaped in its middle. */
byte x, y;
active proctype p() { { d_step { x = 1; x = 2; x = 3 }; x = 4; x = 5 } unless { x == 2 || x == 4 -> y = 5 } }
