/* One process takes else at once, another one waits for its timeout. */
byte x, y;
active proctype p() { do :: x == 1 -> break :: else -> y = 1; break od }
active proctype q() { if :: y == 3 -> skip :: timeout -> x = 1 fi }
