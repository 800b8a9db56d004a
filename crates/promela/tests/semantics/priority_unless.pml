/* An escape with a higher priority. */
byte x;
active proctype a() priority 3 { { x == 5; x = 6 } unless { x == 2 -> x = 7 } }
active proctype b() { x = 1; x = 2; x = 5 }
