/* pc_value of a process that does not exist. */
byte x;
active proctype p() { x = pc_value(9); x = 2 }
