/* An offer that nobody takes is no message. */
chan c = [0] of { byte };
byte x;
active proctype s() { c!1; c!3; c!2; c!2 }
active proctype r() { do :: c?x :: break od }
trace { c!1; c!2 }
