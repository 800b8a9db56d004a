/* A process that can only take an else is enabled. */
byte x;
active proctype a() { enabled(1); x = 1; x = 2; }
active proctype b() { if :: x == 1 :: else fi; x = 5 }
