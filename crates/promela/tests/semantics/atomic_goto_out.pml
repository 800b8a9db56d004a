/* A goto out of an atomic sequence ends it. */
byte x;
active proctype p() { atomic { x = 1; goto out; x = 5 }; out: x = 2; assert(x == 2) }
active proctype q() { x = 9 }
