/* Each failing step counts, not each failing state. */
byte x;
active proctype p() { if :: x = 1 :: x = 1 fi; do :: x == 1 -> assert(x == 2); x = 3 :: x == 1 -> assert(x == 2); x = 4 :: else -> break od }
