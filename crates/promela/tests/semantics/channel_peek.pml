/* c?<m> leaves the message in the channel. */
chan c = [2] of { byte, byte };
active proctype p() { byte v, w; c!1,7; c!2,8; c?<v,w>; assert(v == 1 && w == 7 && len(c) == 2); c??<2,w>; assert(w == 8 && len(c) == 2); c?<1,v>; c?1,v; assert(len(c) == 1) }
