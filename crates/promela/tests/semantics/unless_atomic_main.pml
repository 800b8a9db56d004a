/* An atomic main sequence is escaped between its steps. */
byte x, y;
active proctype p() { { atomic { x = 1; x = 2; x = 3 }; x = 4 } unless { x == 2 || y == 1 -> y = 5 } }
active proctype q() { y = 1 }
