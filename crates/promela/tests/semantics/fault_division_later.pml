/* A division by zero after some steps of two processes. */
byte x = 3, y;
active proctype p() { do :: x > 0 -> x-- :: y = 6 / x od }
active proctype q() { y = 1 }
