/* A local is set to its initial value each time its declaration is passed. */
byte n;
active proctype p() { do :: n < 3 -> byte t = 5; t = t + n; assert(t < 6); n++ :: else -> break od }
