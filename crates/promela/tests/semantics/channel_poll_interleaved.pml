/* Between a poll and the receive another process may come. */
chan c = [1] of { byte };
byte x;
active proctype s() { c!1 }
active [2] proctype r() { byte v; c?[1] -> c?v; x++ }
