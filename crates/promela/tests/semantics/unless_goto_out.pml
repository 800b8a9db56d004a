/* A goto out of the main sequence leaves the escape behind. */
byte x;
active proctype p() { { x = 1; goto out; x = 2 } unless { x == 5 -> x = 6 }; out: x = 5; x = 7 }
