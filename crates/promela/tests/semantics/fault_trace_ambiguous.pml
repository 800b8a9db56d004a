/* A message with which a trace can go on in two ways. */
chan c = [3] of { byte };
trace { if :: c!1; c!2 :: c!_; c!1 fi }
active proctype s() { c!1; c!2; end: false }
