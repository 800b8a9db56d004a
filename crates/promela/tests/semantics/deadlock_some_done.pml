/* Processes at their end beside one that waits. */
byte x;
active proctype p() { x = 1 }
active proctype q() { x == 2 }
active proctype r() { if :: x == 1 -> x = 2 :: x == 1 -> skip fi }
