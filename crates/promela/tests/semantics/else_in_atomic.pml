/* Else inside an atomic sequence looks at the process only. */
byte x, y;
active proctype p() { atomic { x = 1; if :: y == 1 -> x = 2 :: else -> x = 3 fi; y == 1; x = 4 } }
active proctype q() { y = 1 }
