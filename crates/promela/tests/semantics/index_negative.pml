/* A negative index is outside. */
byte a[3], x; int i = -1;
active proctype p() { x = a[i]; i = 0 }
