/* A never claim in the file is read and left aside. */
byte x;
active proctype p() { do :: x < 3 -> x++ :: else -> break od }
never { do :: x == 2 -> break :: else od }
