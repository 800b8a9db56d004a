/* for over an empty range runs no body. */
byte s;
active proctype p() { byte i; for (i : 3 .. 2) { s = 1 }; assert(s == 0) }
