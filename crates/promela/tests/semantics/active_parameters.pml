/* Parameters of an active process are 0. */
byte x = 5;
active proctype p(byte a; int b) { x = a + b; assert(x == 0); a = 3 }
