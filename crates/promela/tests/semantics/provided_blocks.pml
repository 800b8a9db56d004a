/* A process whose provided clause is false for ever is an invalid end. */
byte x;
active proctype a() provided (x == 0) { x = 1; x = 2 }
active proctype b() { x == 1 }
