/* A blocked statement releases control; on resuming the rest is atomic again. */
byte x;
active proctype p() { atomic { x = 1; x == 2; x = 3; x = 4; assert(x == 4) } }
active proctype q() { x == 1; x = 2; x = 7 }
