/* An atomic sequence starts only if its first statement can run. */
byte x;
active [2] proctype p() { atomic { x == 0 -> x = 1; x = 2 }; x = 0 }
