/* A channel inside a record. */
typedef link { chan c; byte n };
chan real = [1] of { byte };
link l;
active proctype p() { byte v; l.c = real; l.c!5; l.n = len(l.c); l.c?v; assert(v == 5 && l.n == 1) }
