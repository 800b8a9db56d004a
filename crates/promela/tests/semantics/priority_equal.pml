/* Processes of equal priority interleave. */
byte x;
active [2] proctype p() priority 3 { x++; x++ }
active proctype low() { x = 9 }
