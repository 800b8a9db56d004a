/* Labels at the last statement of an option and before a choice. */
byte x;
active proctype p() { l0: if :: x < 2 -> x++; l1: goto l0 :: x == 2 -> l2: x = 3; goto l0 :: else -> l3: skip fi; l4: do :: x > 0 -> x-- :: else -> break od }
