/* Polling a channel that was never made. */
chan c; byte x;
active proctype p() { if :: c?[1] -> x = 1 :: x = 2 fi }
