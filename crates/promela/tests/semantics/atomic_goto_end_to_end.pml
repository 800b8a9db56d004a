/* A goto that ends an atomic sequence and leads to the last statement of another one keeps control. */
byte x;
active proctype p() { atomic { x = 1; goto l1 } atomic { skip; l1: x = 0 } }
active proctype m() { assert(x == 0) }
