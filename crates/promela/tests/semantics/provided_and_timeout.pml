/* A timeout counts processes that are not provided as blocked. */
byte x;
active proctype a() provided (x == 1) { x = 2 }
active proctype b() { timeout -> x = 1 }
