/* An escape that is atomic. */
byte x, y;
active proctype p() { { x = 1; x == 5 } unless { atomic { y == 1 -> x = 2; x = 3; x = 4 } } }
active proctype q() { y = 1; if :: x == 2 -> assert(false) :: x == 4 -> skip :: y = 2 fi }
