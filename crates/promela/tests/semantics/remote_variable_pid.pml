/* P[pid]:variable of one of several processes. */
byte x;
active [2] proctype a() { byte t; t = _pid + 4; x++ }
active proctype b() { x == 2; assert(a[0]:t == 4 && a[1]:t == 5) }
