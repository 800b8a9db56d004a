/* Local arrays of bits and those in records hold whole bytes as well; scalars and fields of messages are cut. */
typedef r { bit a[2]; bit s };
chan c = [1] of { bit, bool };
r g;
active proctype p() { bit l[2]; bit s; byte v, w; l[1] = 2; assert(l[1] == 2); s = 2; assert(s == 2); g.a[1] = 2; assert(g.a[1] == 2); g.s = 2; assert(g.s == 2); c!2,2; c?v,w; assert(v == 2); assert(w == 2) }
