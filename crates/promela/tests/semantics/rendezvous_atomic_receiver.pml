/* A receiver that is itself atomic keeps control after a rendezvous. */
chan c = [0] of { byte };
byte x;
active proctype s() { c!1; x = 2 }
active proctype r() { byte v; atomic { c?v; x = 10; x = 11 } }
active proctype o() { x == 10; assert(false) }
