/* Equal options are separate steps that lead to the same state. */
byte x;
active proctype p() { if :: x = 1 :: x = 1 :: x = 1 fi; do :: x < 3 -> x++ :: x < 3 -> x++ :: else -> break od }
