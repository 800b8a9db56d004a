/* A rendezvous channel holds nothing that could be looked at. */
chan c = [0] of { byte }; byte x;
active proctype p() { if :: c?[1] -> x = 1 :: x = 2 fi }
