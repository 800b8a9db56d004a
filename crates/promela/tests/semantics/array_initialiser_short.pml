/* A list of initial values that is shorter than the array: the last one goes on. */
byte a[4] = { 1, 2 };
active proctype p() { assert(a[0] == 1); assert(a[1] == 2); assert(a[2] == 2); assert(a[3] == 0) }
