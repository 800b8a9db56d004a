/* The end of a process with a higher priority has to wait for those that came later. */
byte x;
active proctype a() priority 5 { x = 1 }
active proctype b() priority 1 { x = 2; x = 3 }
