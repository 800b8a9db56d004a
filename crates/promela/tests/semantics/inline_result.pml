/* An inline used as a guard sequence. */
byte x;
inline wait(v) { v > 1 -> v-- }
active proctype p() { wait(x); x = 9 }
active proctype q() { x = 1; x = 2 }
