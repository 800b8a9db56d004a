/* A rendezvous whose sender has fewer parts than the channel holds. */
chan d = [0] of { byte, byte };  byte x, y = 4;
active proctype p() { d?x,y; x = 1 }
active proctype q() { d!1 }
