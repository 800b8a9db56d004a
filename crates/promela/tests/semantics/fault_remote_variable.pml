/* A variable of a process that does not exist. */
byte x;
proctype q() { byte z; z = 1 }
active proctype p() { x = q[5]:z; x = 2 }
