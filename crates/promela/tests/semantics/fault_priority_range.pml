/* A priority that is too high. */
byte x = 200;
active proctype a() priority 2 { set_priority(0, x + 100) ; x = 1}
