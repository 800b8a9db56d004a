/* Where both escapes can be taken, the outer one is. */
byte n;
active proctype A() { byte x;
    { { do :: n < 3 -> n++ od } unless { n == 2; x = 1 } } unless { n == 2; x = 2 };
    assert(x == 1)
}
