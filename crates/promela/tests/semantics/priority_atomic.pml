/* Priorities and atomic sequences. */
byte x;
active proctype a() priority 5 { x == 2; atomic { x = 1; x = 4; x == 9; x = 6 } }
active proctype b() priority 1 { atomic { x = 2; x = 3; x = 7 }; x = 9 }
