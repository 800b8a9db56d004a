/* Each process has its own local channel. */
byte sum;
proctype p(byte k) { chan c = [1] of { byte }; byte v; c!k; c?v; sum = sum + v; assert(v == k) }
init { run p(1); run p(2) }
