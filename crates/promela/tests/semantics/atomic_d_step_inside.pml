/* A d_step inside an atomic sequence is one step of it. */
byte x;
active proctype p() { atomic { x = 1; d_step { x = 2; x = 3 }; x = 4 } }
active proctype q() { if :: x == 3 -> x = 13 :: x == 4 -> x = 14 fi }
