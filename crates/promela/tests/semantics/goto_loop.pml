/* A loop made of goto. */
byte x;
active proctype p() { again: if :: x < 4 -> x++; goto again :: x > 2 -> goto done :: else -> x = 9 fi; x = 7; done: skip }
