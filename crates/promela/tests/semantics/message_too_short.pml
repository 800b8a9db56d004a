/* A message with fewer parts than the channel holds. */
chan d = [1] of { byte, byte }; chan v; byte x, y = 5;
active proctype p() { v = d; v!1; d?x,y; assert(x == 1 && y == 0) }
