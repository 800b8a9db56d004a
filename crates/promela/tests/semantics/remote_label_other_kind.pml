/* A label of a process of another kind. */
byte x;
proctype q() { x = 3; L: x == 9 }
active proctype p() { if :: q[0]@L -> x = 1 :: else -> x = 2 fi }
