/* An escape by timeout. */
byte x;
active proctype p() { { x = 1; x == 7 } unless { timeout -> x = 3 } }
active proctype q() { x == 1; x = 2 }
