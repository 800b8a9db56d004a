/* Several processes wait for a timeout; each may take it. */
byte x;
active [2] proctype p() { timeout; x++; assert(x < 2) }
