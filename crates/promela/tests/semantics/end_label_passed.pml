/* An end label at which the process does not stop means nothing. */
byte x;
active proctype p() { end1: x = 1; x == 5 }
