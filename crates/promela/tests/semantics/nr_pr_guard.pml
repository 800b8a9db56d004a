/* Waiting for all children with _nr_pr. */
byte x;
proctype p(byte k) { x = x + k }
init { atomic { run p(1); run p(2) }; _nr_pr == 1; assert(x == 3) }
