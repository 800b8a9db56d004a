/* A process that waits at an end label is at a valid end. */
byte x;
active proctype p() { end: x == 5 -> x = 6 }
active proctype q() { if :: skip :: x = 5 :: x = 3; x == 4 fi }
