/* Arrays of buffered channels do not share their buffers. */
chan c[3] = [2] of { byte };
active proctype p() { byte v; c[0]!1; c[2]!2; c[2]!3; assert(len(c[0]) == 1 && len(c[1]) == 0 && len(c[2]) == 2); c[2]?v; c[0]?v; assert(v == 1) }
