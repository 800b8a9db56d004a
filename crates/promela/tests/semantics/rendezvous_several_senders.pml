/* Any of several senders may be served. */
chan c = [0] of { byte };
byte last;
active [2] proctype s() { c!_pid + 1 }
active proctype r() { byte v; end: do :: c?v -> last = last * 3 + v od }
