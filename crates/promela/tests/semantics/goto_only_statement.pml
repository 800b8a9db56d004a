/* A goto as the only statement of an option. */
byte x;
active proctype p() { if :: goto two :: skip fi; x = 1; two: x = x + 2; do :: goto three od; three: assert(x == 2 || x == 3) }
