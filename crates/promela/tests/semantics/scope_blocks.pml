/* A name in an inner block is another variable. */
byte x = 1;
active proctype p() { byte x = 2; { byte x = 3; assert(x == 3); x = 4 }; assert(x == 2); { byte x; assert(x == 0) } }
active proctype q() { assert(x == 1) }
