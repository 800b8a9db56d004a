/* In a rendezvous too, receiving fewer parts than are sent is an error. */
chan q = [0] of { byte, byte };
active proctype A() { q!1,2; q!3,4 }
active proctype B() { byte x; q?x; q?x; assert(x < 3) }
