/* P:variable reads a local of another process. */
byte x;
active proctype a() { byte t = 3; x = 1; t = 5; x = 2 }
active proctype b() { x == 2; assert(a:t == 5) }
