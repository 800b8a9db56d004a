/* A goto into an atomic sequence makes what follows atomic. */
byte x, y;
active proctype p() { goto in; atomic { y = 7; in: x = 1; x = 2; assert(x == 2) } }
active proctype q() { x = 9 }
