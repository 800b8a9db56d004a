/* Any of several receivers may take an offer. */
chan c = [0] of { byte };
byte got[4];
active proctype s() { c!1; c!2 }
active [3] proctype r() { byte v; c?v; got[_pid] = v }
