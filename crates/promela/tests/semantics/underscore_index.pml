/* What is forgotten is computed nevertheless. */
byte x[2]; byte i=3;
active proctype p() { _ = x[i]; i = 1 }
