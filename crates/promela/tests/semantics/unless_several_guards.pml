/* An escape that begins with a choice. */
byte x, y;
active proctype p() { do :: { y < 3 -> y++ } unless { if :: x == 1 -> y = 10 :: x == 2 -> y = 20; break fi } :: y > 5 -> break od }
active proctype q() { if :: x = 1 :: x = 2 fi }
