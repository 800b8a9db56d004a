/* A process that ends right after a d_step. */
byte x;
proctype p() { d_step { x++; x++ } }
init { run p(); run p(); _nr_pr == 1; assert(x == 4) }
