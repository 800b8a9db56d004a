/* What a process is provided with does not matter to enabled. */
byte x;
active proctype a() { enabled(1); x = 1; x = 2; }
active proctype b() provided (x == 1) { x = 5 }
