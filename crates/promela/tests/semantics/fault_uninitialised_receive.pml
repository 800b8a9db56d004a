/* Receiving from a channel that was never made is an error. */
chan d = [1] of { byte };
active proctype p() { chan c; byte x; if :: x = 1 :: c = d; c!3 fi; c?x }
