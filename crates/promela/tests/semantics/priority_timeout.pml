/* A timeout with a higher priority. */
byte x;
active proctype a() priority 5 { timeout; x = 5 }
active proctype b() priority 1 { x = 2; x = 3 }
