/* Rendezvous on an element of an array of channels. */
chan c[2] = [0] of { byte };
byte x;
active [2] proctype s() { c[1 - _pid]!_pid }
active proctype r() { byte v; c[0]?v; x = v; c[1]?v; assert(x == 1 && v == 0) }
