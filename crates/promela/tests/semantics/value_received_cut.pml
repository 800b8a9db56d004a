/* A received value is cut to the type of the variable. */
chan c = [1] of { int };
byte b; bit t;
active proctype p() { c!257; c?b; assert(b == 1); c!6; c?t; assert(t == 0) }
