/* A process runs only while its provided clause holds. */
byte turn, n;
active proctype a() provided (turn == 0) { n = 1; turn = 1; n = 2 }
active proctype b() provided (turn == 1) { n = 3; turn = 0; n = 4 }
