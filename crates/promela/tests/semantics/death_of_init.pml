/* init has number 0 and dies last. */
byte x;
proctype p() { x = _nr_pr }
init { run p() }
