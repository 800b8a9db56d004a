/* A short is cut to 16 bits with a sign. */
short s = 32767;
active proctype p() { s++; assert(s == -32768); s = 65537; assert(s == 1); s = 40000; assert(s == -25536) }
