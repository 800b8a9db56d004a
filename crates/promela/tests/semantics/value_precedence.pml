/* Precedence of operators as in C. */
int x = 2;
active proctype p() { assert(1 + 2 * 3 == 7); assert((x & 3 == 3) == 0); assert(1 << 2 + 1 == 8); assert(x == 2 && 1 || 0); assert(!(x == 3) && -x < 0); assert(10 - 4 - 3 == 3); assert(7 / 2 * 2 == 6) }
