/* A failed assertion in an atomic sequence is an error, and the sequence goes on. */
byte x;
active proctype p() { atomic { x = 1; assert(x != 1); x = 2; assert(x == 3) }; x = 4 }
