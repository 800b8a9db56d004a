/* Channel variables are references. */
chan a = [1] of { byte };
chan b = [1] of { byte };
active proctype p() { chan c; byte v; c = a; c!1; c = b; c!2; a?v; assert(v == 1); assert(len(b) == 1); if :: c == b -> skip :: else -> assert(false) fi }
