/* Both halves of a rendezvous are events. */
mtype = { a, b };
chan c = [0] of { mtype, byte };
byte x;
active proctype s() { c!a(1); c!b(1); c!a(2) }
active proctype r() { c?a,x; c?b,x; c?a,x }
trace { do :: c!a,_; c?a,_ :: c!b,1; c?b,_ od }
