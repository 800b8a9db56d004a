/* Arrays with a list of initial values. */
byte a[3] = { 1, 2, 3 }; int b[2] = { 7, 300 };
active proctype p() { short c[2] = { 5, 6 }; assert(a[0] + a[1] + a[2] == 6); assert(b[0] + b[1] == 307); c[0] = c[1]; assert(c[0] == 6) }
