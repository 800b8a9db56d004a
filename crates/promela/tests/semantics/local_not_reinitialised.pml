/* A local without an initial value, passed again. */
byte n;
active proctype p() { do :: n < 3 -> byte t; t = t + 1; n = n + t :: else -> break od; assert(n == 3) }
