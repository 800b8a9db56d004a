/* Numbers of processes: active ones in order of declaration. */
byte who[4];
active proctype a() { who[_pid] = 1 }
active [2] proctype b() { who[_pid] = 2 }
init { who[_pid] = 3; who[0] == 1 && who[1] == 2 && who[2] == 2; assert(who[3] == 3) }
