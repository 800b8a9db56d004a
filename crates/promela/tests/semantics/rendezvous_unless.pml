/* A rendezvous may trigger the escape of the receiver. */
chan c = [0] of { byte };
byte x;
active proctype s() { x == 1; c!1 }
active proctype r() { { x = 1; x = 2; x = 3; x == 9 } unless { c?_ -> x = 7 } }
