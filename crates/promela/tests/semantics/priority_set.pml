/* get_priority and set_priority, and _priority. */
byte x;
active proctype a() priority 2 { x = 1; set_priority(1, 5); x = 2; assert(get_priority(1) == 5) }
active proctype b() priority 1 { x = 3; assert(_priority == 5 || _priority == 1); x = 4 }
