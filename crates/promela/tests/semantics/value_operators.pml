/* Operators on ints, among them the bitwise ones. */
int x = 12; byte y = 10;
active proctype p() { assert((x & y) == 8); assert((x | y) == 14); assert((x ^ y) == 6); assert(~x == -13); assert(x << 2 == 48); assert(x >> 1 == 6); assert(-x >> 1 == -6); assert(!x == 0); assert(x % 5 == 2) }
