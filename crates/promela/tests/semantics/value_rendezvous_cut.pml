/* Messages of a rendezvous are cut to the types of the fields as well. */
chan c = [0] of { byte };
int a;
active proctype s() { c!700 }
active proctype r() { c?a; assert(a == 188) }
