/* Priorities and provided clauses. */
byte x;
active proctype a() priority 3 provided (x != 1) { x = 6; x = 7 }
active proctype b() priority 2 provided (x == 0) { x = 1; x = 2; x = 5 }
active proctype c() { x = 1; x = 2; x = 5 }
