/* A receiver that is not provided does not take part in a rendezvous. */
chan c = [0] of { byte };
byte x;
active proctype s() { c!1; x = 3 }
active proctype r() provided (x == 1) { byte v; c?v }
active proctype o() { x = 1 }
