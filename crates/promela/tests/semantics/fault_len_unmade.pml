/* The length of a channel that was never made. */
chan c; byte x;
active proctype p() { x = len(c); x = 2 }
