/* run gives the number of the new process. */
byte x;
proctype p() { x++ }
init { pid a; a = run p(); assert(a == 1); (run p()) -> assert(_nr_pr >= 2) }
