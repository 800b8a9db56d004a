/* An arrow is a semicolon, and spare ones do nothing. */
byte x;
active proctype p() { x == 0 -> x = 1 -> x = 2; ; x = 3;; if :: x == 3; x = 4; :: else -> fi; }
