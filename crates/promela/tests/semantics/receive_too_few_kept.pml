/* Looking at fewer parts than a message has, with `<` and `>` or in a poll, is no error. */
chan q = [2] of { byte, byte };
active proctype A() { q!1,2; q!3,4 }
active proctype B() { byte x; chan d = q; d?x; d?<x>; d?[x]; d??<x>; assert(x < 3) }
