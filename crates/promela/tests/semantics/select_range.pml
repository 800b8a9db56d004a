/* select picks any number of a range. */
byte x;
active proctype p() { select (x : 2 .. 5); assert(x >= 2 && x <= 5 && x != 4) }
