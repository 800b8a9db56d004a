/* A loop inside an atomic sequence runs without interruption. */
byte x, y;
active proctype p() { atomic { do :: x < 4 -> x++ :: x >= 2 -> break od }; y = x }
active proctype q() { x == 3; assert(false) }
