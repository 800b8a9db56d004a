/* Nested for with a break and a local. */
byte s;
active proctype p() { byte i, j; for (i : 0 .. 2) { for (j : 0 .. 2) { byte t = 1; if :: j == i -> break :: else -> s = s + t fi } }; assert(s == 3) }
