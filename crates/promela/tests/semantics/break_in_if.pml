/* break inside a choice leaves the loop around it. */
byte x;
active proctype p() { do :: x++; if :: x == 3 -> break :: x < 3 -> skip fi od; x = 10 }
