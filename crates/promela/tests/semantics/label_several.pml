/* Several labels at one statement. */
byte x;
active proctype p() { a: b: x++; if :: x < 2 -> goto a :: x == 2 -> goto b :: else fi }
