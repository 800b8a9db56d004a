/* A conditional expression needs only the chosen side. */
byte x = 3, a[3];
active proctype p() { byte y; y = (x > 2 -> 10 : 20); assert(y == 10); y = (x < 3 -> a[x] : 5); assert(y == 5); y = (x == 3 -> (y == 5 -> 1 : 2) : 3); assert(y == 1) }
