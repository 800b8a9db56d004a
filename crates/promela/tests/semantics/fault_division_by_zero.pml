/* The verifier dies of a division by zero. */
byte x, y;
active proctype p() { y = 5 / x }
