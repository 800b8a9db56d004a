/* The verifier dies of a remainder by zero. */
byte x, y;
active proctype p() { y = 5 % x }
