/* bit and bool keep the lowest bit only. */
bit b; bool c;
active proctype p() { b = 6; assert(b == 0); c = 6; assert(c == 0); b = 3; c = 5; assert(b && c); b++; assert(b == 0) }
