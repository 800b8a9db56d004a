/* np_ is true when no process is at a progress label. */
byte x;
active proctype a() { x = 1; progress: x = 2; x = 3 }
active proctype b() { if :: np_ -> x = 5 :: !np_ -> x = 6 fi }
