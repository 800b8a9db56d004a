/* A label of a process with a negative number. */
byte x; int n = -1;
active proctype q() { L: x == 9 }
active proctype p() { if :: q[n]@L -> x = 1 :: else -> x = 2 fi }
