/* break leaves the innermost loop. */
byte x, y;
active proctype p() { do :: x < 2 -> do :: y < 2 -> y++ :: break od; x++ :: else -> break od; assert(x == 2) }
