/* The main sequence waits, the escape does as well. */
byte x;
active proctype p() { { x == 5 -> x = 6 } unless { x == 1 -> x = 2 } }
active proctype q() { if :: x = 1 :: x = 5 :: x = 3 fi }
