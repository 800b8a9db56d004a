/* Arrays of bits keep their values apart. */
bit a[10]; bool b[3] = true;
active proctype p() { a[3] = 1; a[9] = 1; assert(!a[2] && a[3] && !a[4] && a[9]); b[1] = 2; assert(b[0] && !b[1] && b[2]) }
