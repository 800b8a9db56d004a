/* Arguments are values at the time of the run, cut to the type of the parameter. */
int x = 300;
proctype p(byte a; bool b; short c) { assert(a == 44 && c == 300); x = b }
init { run p(x, 2, x); x = 0 }
