/* Channels in an array. */
chan c[2] = [1] of { byte };
byte x;
trace { do :: c[0]!_; c[1]!_ od }
active proctype s() { c[0]!1; c[1]!2; c[0]?x; c[x-1]!2; c[1]?x;  end: false }
