/* A receive that forgets a field still takes the whole message. */
chan c = [2] of { byte, byte };
active proctype p() { byte v, w; c!1,5; c!2,6; c?v,_; c?w,_; assert(v == 1 && w == 2 && len(c) == 0) }
