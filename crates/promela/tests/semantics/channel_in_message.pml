/* A channel sent in a message is used by the receiver. */
chan main = [0] of { chan };
byte x;
active proctype client() { chan mine = [0] of { byte }; main!mine; mine?x; assert(x == 7) }
active proctype server() { chan who; main?who; who!7 }
