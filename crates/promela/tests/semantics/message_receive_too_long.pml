/* A receive with more parts than the channel holds. */
chan c = [1] of { byte }; chan d = [1] of { byte, byte }; chan v; byte x, y;
active proctype p() { c!1; d!1,2; if :: v = c :: v = d fi; v?x,y; x = 1 }
