/* A shown variable is like any other. */
show byte x; show int y = 3;
active proctype p() { show byte z; do :: x < 2 -> x++; z = x; y = -y :: else -> break od }
