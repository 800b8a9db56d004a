/* An inline with a choice, a break and a goto of its surroundings. */
byte x;
inline next(k) { if :: x < k -> x++ :: else -> goto done fi }
active proctype p() { do :: next(3) od; done: assert(x == 3) }
