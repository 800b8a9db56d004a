/* The search goes on behind a failed assertion. */
byte x;
active [2] proctype p() { x++; assert(x == 1); x++ }
