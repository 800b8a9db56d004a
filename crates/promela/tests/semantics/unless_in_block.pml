/* Where control stands at a block around them, inner escapes go before outer ones, each with its own in front. */
byte n;
active proctype A() { byte x;
    { { { { n > 99; x = 1 } unless { if :: n & 1; x = 2 :: n & 2; x = 3 fi } }
        unless { { n & 4; x = 4 } unless { n & 8; x = 5 } } } unless { n & 16; x = 6 } }
}
active proctype B() { byte i; select(i : 0..31); n = i }
