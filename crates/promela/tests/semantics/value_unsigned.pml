/* unsigned x : n keeps n bits. */
unsigned u : 3 = 7; unsigned w : 5;
active proctype p() { u++; assert(u == 0); u = 13; assert(u == 5); w = 33; assert(w == 1); w = 0 - 1; assert(w == 31) }
