/* enabled(p) tells whether process p could run. */
byte x, y;
active proctype a() { x == 1; x = 2 }
active proctype b() { if :: enabled(0) -> y = 1 :: !enabled(0) -> y = 2 fi; x = 1; if :: enabled(0) -> y = y + 10 :: else -> y = y + 20 fi }
