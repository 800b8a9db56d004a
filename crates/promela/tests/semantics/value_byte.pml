/* A byte is cut to 8 bits. */
byte x = 250;
active proctype p() { do :: x > 2 -> x = x + 3 :: else -> break od; assert(x < 3); x = 0 - 1; assert(x == 255); x = 513; assert(x == 1) }
