/* init declared first has number 0 among active processes. */
byte x[3];
init { x[_pid] = 1 }
active proctype a() { x[_pid] = 2 }
active proctype b() { x[_pid] = 3 }
