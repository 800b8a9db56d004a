/* A division by zero in a guard, beside another choice. */
byte x, y;
active proctype p() { if :: 4 / x == 2 -> y = 1 :: y = 2 fi }
