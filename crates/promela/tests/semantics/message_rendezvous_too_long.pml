/* A rendezvous whose receiver wants more parts than the channel holds. */
chan c = [0] of { byte }; chan d = [0] of { byte, byte }; chan v; byte x, y;
active proctype p() { v = c; v?x,y; x = 1 }
active proctype q() { c!1 }
