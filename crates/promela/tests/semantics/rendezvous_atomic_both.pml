/* Both partners atomic: the receiver goes on, then the sender or another. */
chan c = [0] of { byte };
byte x;
active proctype s() { atomic { x = 1; c!1; x = 2; x = 3 } }
active proctype r() { byte v; atomic { c?v; x = x + 10; x = x + 1 } }
active proctype o() { byte k; k = x; x = 0 }
