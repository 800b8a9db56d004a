/* A d_step may begin with a rendezvous receive. */
chan c = [0] of { byte };
byte x, y;
active proctype p() { d_step { c?x -> y = x; x = 0 } }
active proctype q() { c!5; y = y + 1 }
