/* A notrace that is matched to its end is an error. */
chan c = [2] of { byte };
notrace { c!1; c!2 }
active proctype s() { if :: c!1 :: c!3 fi; if :: c!2 :: c!1 fi; end: false }
