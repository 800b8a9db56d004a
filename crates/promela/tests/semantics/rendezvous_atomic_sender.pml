/* A rendezvous inside an atomic sender hands control to the receiver; another process may come between. */
chan c = [0] of { byte };
byte x;
active proctype s() { atomic { x = 1; c!1; x = 2; x = 3 } }
active proctype r() { byte v; c?v; x = 10; x = 11 }
active proctype o() { x == 1; x = 20 }
