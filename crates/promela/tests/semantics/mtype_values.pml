/* mtype { a, b, c }: a is 3; a second declaration goes on counting. */
mtype = { a, b, c };
mtype = { d, e };
mtype m = b;
active proctype p() { assert(a == 3 && b == 2 && c == 1); assert(d == 5 && e == 4); m = d; if :: m == d -> m = 0 fi; assert(m == 0) }
