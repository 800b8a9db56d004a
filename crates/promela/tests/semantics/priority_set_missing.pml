/* Priorities of processes that do not exist. */
byte x;
active proctype a() priority 2 { set_priority(7, 3); x = get_priority(7); assert(x == 0); x = get_priority(0) }
