/* A choice whose option begins with a choice. */
byte x;
active proctype p() { if :: if :: x == 0 -> x = 1 :: x == 0 -> x = 2 :: x == 5 -> x = 3 fi; x = x + 10 :: do :: x == 0 -> x = 7 :: x == 7 -> break od :: x = 20 fi }
