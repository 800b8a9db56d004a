/* c??m takes the first message that matches, wherever it is. */
chan c = [4] of { byte, byte };
active proctype p() { byte v; c!1,5; c!2,6; c!3,7; c!2,8; c??2,v; assert(v == 6); c??2,v; assert(v == 8); assert(len(c) == 2); c??3,v; c?1,v; assert(v == 5) }
