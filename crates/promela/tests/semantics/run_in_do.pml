/* run as the guard of an option. */
byte n;
proctype p() { n++; n == 200 }
init { byte i; do :: i < 3 -> run p(); i++ :: else -> break od }
