/* Messages are cut to the types of their fields. */
chan c = [2] of { byte, bit, short, bool };
int a; int b; int d; int e;
active proctype p() { c!300,2,70000,7; c?a,b,d,e; assert(a == 44); assert(b == 0); assert(d == 4464); assert(e == 1) }
