/* Asking whether a channel is full that was never made. */
chan c; byte x;
active proctype p() { if :: full(c) -> x = 1 :: empty(c) -> x = 2 fi }
