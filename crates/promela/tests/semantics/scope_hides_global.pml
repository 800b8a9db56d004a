/* A local hides a global of the same name. */
byte x = 1;
active proctype p() { byte x = 9; x = 8; assert(x == 8) }
active proctype q() { assert(x == 1); x = 2 }
