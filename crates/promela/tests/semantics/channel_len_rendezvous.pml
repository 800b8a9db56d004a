/* A rendezvous channel has length 0. */
chan c = [0] of { byte };
active proctype s() { c!1; assert(len(c) == 0) }
active proctype r() { byte v; assert(len(c) == 0); c?v; assert(len(c) == 0 && v == 1) }
