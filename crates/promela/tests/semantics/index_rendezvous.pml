/* A rendezvous into an element that is not there. */
chan d = [0] of { byte };  byte x[2], y = 4;
active proctype p() { d?x[y]; y = 1 }
active proctype q() { d!1 }
