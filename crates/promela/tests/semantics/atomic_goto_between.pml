/* A goto from one atomic sequence into another keeps control. */
byte x;
active proctype p() { atomic { x = 1; goto there }; x = 5; atomic { skip; there: x = 2; assert(x == 2) } }
active proctype q() { x = 9 }
