/* An array of one element is its name. */
byte a[1];
active proctype p() { a[0] = 3; assert(a[0] == 3) }
