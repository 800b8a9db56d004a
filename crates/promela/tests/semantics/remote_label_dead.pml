/* A label of a process that is no more. */
byte x;
proctype q() { L: x = 1 }
init { run q(); x == 1; !q[1]@L; x = 2 }
