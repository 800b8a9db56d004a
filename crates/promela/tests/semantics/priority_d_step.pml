/* Priorities and d_steps. */
byte x; chan c = [1] of { byte };
active proctype a() priority 5 { d_step { x == 2; x = 5 }; d_step { c?x; x++ } }
active proctype b() priority 1 { x = 2; x = 3; c!4; x = 9 }
