/* The values of a rendezvous are those at the send, received variables may be operands of later fields. */
chan c = [0] of { byte, byte };
byte x = 3, y = 4;
active proctype s() { c!y,x }
active proctype r() { c?x,eval(x); assert(x == 4) }
