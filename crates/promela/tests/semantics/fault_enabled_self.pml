/* A process that asks whether it is itself enabled. */
byte x;
active proctype a() { enabled(0); x = 1 }
