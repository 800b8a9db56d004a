/* The outer escape interrupts the inner escape as well. */
chan q = [0] of { byte };
byte n;
active proctype A() { byte x;
    { { do :: n < 3 -> n++ od } unless { n == 2; x = 1 } } unless { q?x; x = 2 };
    assert(x == 1)
}
active proctype B() { n == 2; q!1 }
