/* A timeout is taken before end states are judged. */
byte x;
active proctype p() { end: x == 3; x = 4 }
active proctype q() { timeout -> x = 3 }
