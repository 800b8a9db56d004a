/* An escape is not looked at once the main sequence has ended. */
byte x, y;
active proctype p() { { x = 1 } unless { y == 1 -> x = 9 }; y = 1; assert(x == 1) }
