/* A goto out of two loops. */
byte x, y;
active proctype p() { do :: do :: x < 3 -> x++ :: x == 2 -> goto out :: x == 3 -> break od; y++; x = 0; y < 2 od; out: assert(x == 2) }
