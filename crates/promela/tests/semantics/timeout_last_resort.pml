/* timeout is true only when nothing else in the whole system can run. */
byte x;
active proctype p() { do :: timeout -> x = 9; break :: x == 1 -> x = 2 od; assert(x == 9) }
active proctype q() { byte i; do :: i < 3 -> i++ :: else -> break od; x = 1 }
