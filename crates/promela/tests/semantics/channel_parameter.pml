/* Channels as parameters of processes. */
chan a = [1] of { byte };
chan b = [0] of { byte };
byte x;
proctype p(chan in, out) { byte v; in?v; out!v + 1 }
init { run p(a, b); a!3; b?x; assert(x == 4) }
