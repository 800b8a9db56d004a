/* Blocks beside each other have variables of their own, set to 0 or to their initial value. */
byte r;
active proctype p() { { byte x = 3; assert(x == 3); x = 4 }; { byte x; assert(x == 0); x = 6; r = x }; assert(r == 6) }
