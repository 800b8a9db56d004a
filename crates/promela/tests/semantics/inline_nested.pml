/* An inline that calls another, inside atomic and loops. */
byte x, i;
inline one() { x++ }
inline two() { one(); one() }
active proctype p() { do :: i < 2 -> atomic { two(); i++ } :: else -> break od }
active proctype q() { if :: x == 1 -> assert(false) :: x == 2 :: x == 4 fi }
