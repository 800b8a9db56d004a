/* An outer escape that sends in a rendezvous goes first if somebody receives; if nobody does, the inner one. */
chan q = [0] of { byte };
byte n;
active proctype A() { byte x;
    { { do :: n < 3 -> n++ od } unless { n == 2; x = 1 } } unless { q!1; x = 2 };
    assert(x == 1)
}
active proctype B() { byte y; n == 2; q?y }
