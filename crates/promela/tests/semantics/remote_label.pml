/* P@label tells whether a process is at a label. */
byte x;
active proctype a() { x = 1; here: x = 2; x = 3 }
active proctype b() { a@here -> assert(x != 3); x = 9 }
