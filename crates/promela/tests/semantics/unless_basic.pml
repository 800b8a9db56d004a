/* An escape is taken in place of the next statement as soon as it can run. */
byte x;
active proctype p() { { x = 1; x = 2; x = 3 } unless { x == 2 -> x = 9 }; assert(x == 9) }
