/* A label of a process that never existed. */
byte x;
proctype q() { L: x = 1 }
active proctype p() { q[5]@L; x = 2 }
