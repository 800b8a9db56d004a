/* A process with a higher priority that can take an else. */
byte x;
active proctype a() priority 5 { if :: x == 1 -> x = 5 :: else -> x = 6 fi; x == 7 }
active proctype b() priority 1 { x = 2; x = 7; x = 3 }
