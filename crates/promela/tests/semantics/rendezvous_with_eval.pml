/* A receiver filters offers by the value of a variable. */
chan c = [0] of { byte, byte };
byte me = 1, x;
active proctype s() { do :: c!0,5 :: c!1,6; break od }
active proctype r() { c?eval(me),x; assert(x == 6) }
