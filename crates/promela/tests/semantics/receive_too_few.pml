/* Receiving fewer parts than a message has is an error, which takes the whole message away. */
chan q = [2] of { byte, byte };
active proctype A() { q!1,2; q!3,4 }
active proctype B() { byte x; q?x; q?x; assert(x < 3) }
