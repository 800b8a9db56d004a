/* _last is the process that made the last step. */
byte x;
active proctype a() { x = 1; x = 2 }
active proctype b() { x == 1; if :: _last == 0 -> x = 5 :: _last == 1 -> x = 6 fi }
