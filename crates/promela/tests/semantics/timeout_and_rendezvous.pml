/* A rendezvous that can happen keeps timeout false, an offer that nobody takes does not. */
chan c = [0] of { byte };
byte x;
active proctype s() { if :: c!1 :: timeout -> x = 5 fi }
active proctype r() { byte v; if :: x == 5 -> c?v :: timeout -> c?v fi }
