/* An atomic sequence inside another adds nothing. */
byte x;
active proctype p() { atomic { x = 1; atomic { x = 2; x = 3 }; x = 4 }; x = 5 }
active proctype q() { if :: x == 1 -> x = 11 :: x == 2 -> x = 12 :: x == 3 -> x = 13 :: x == 4 -> x = 14 fi }
