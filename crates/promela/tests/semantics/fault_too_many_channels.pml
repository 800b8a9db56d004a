/* More channels than there can be. */
proctype p(byte n) { chan c = [1] of { byte }; c!n; if :: n < 250 -> run p(n + 1) :: else fi; false }
chan d[10] = [1] of { byte };
init { run p(0) }
