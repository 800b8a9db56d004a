/* An expression can run if it is not 0. */
byte x; int y = -1;
active proctype p() { y; x + 3; x - x + 1; if :: x -> assert(false) :: y -> x = 2 fi; x - 2; assert(false) }
