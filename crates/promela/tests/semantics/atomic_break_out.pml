/* A break out of an atomic body of a loop. */
byte x, y;
active proctype p() { do :: atomic { x < 2 -> x++; y = x } :: atomic { x == 2 -> break } od; y = 0 }
active proctype q() { y == 1; y = 5 }
