/* A process that is started with a higher priority. */
byte x;
proctype q(byte y) { x = y; x = y + 1 }
active proctype a() { run q(1) priority 4; x = 9; run q(3); x = 8 }
