/* A goto into the body of a loop. */
byte x;
active proctype p() { goto middle; do :: x < 3 -> x++; middle: x = x + 2 :: else -> break od; assert(x == 5 || x == 4 || x == 3) }
