/* A receive from a channel that was never made, beside another choice. */
chan c; byte x;
active proctype p() { if :: c?x :: x = 3 fi }
