/* A proctype with the D_ prefix is deterministic in name only. */
byte x;
active D_proctype p() { x = 1; x = 2 }
active proctype q() { x = 3 }
