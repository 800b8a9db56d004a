/* A message with more parts than the channel holds. */
chan c = [1] of { byte }; chan d = [1] of { byte, byte }; chan v; byte x;
active proctype p() { if :: v = c :: v = d fi; v!1,2; x = 1 }
