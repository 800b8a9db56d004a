/* Formulas in the file are read and left aside. */
byte x;
ltl always_small { [] (x < 3) }
ltl comes { <> (x == 3) && always (x >= 0) implies eventually (x == 2) }
active proctype p() { do :: x < 3 -> x++ :: else -> break od }
