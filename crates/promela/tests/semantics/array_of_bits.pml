/* Elements of an array of bits or bools are whole bytes for SPIN: 2 stays 2. */
bit a[10]; bool b[3] = true;
active proctype p() { a[3] = 1; a[9] = 1; assert(!a[2] && a[3] && !a[4] && a[9]); b[1] = 2; assert(b[1] == 2); assert(b[1] == 0); a[1] = 257; assert(a[1] == 1); a[1]++; assert(a[1] == 0) }
