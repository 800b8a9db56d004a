/* xr and xs change nothing when they are true. */
chan c = [1] of { byte };
byte x;
active proctype s() { xs c; c!1; c!2 }
active proctype r() { xr c; byte v; c?v; x = v; c?v; assert(v == x + 1) }
