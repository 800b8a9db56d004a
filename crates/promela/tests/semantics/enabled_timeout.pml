/* A timeout is not enabled while anything else can move. */
byte x;
active proctype a() { enabled(1); x = 1; x = 2; }
active proctype b() { timeout; x = 5 }
