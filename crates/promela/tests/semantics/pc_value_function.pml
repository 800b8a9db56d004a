/* pc_value(p) is the control state of process p, as SPIN numbers it. */
byte x;
active proctype a() { x = 1; x = 2 }
active proctype b() { byte k; k = pc_value(0); k == pc_value(0); if :: pc_value(1) > 0 -> skip fi }
