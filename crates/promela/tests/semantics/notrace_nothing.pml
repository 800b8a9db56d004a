/* A notrace that saw nothing has not ended. */
chan c = [3] of { byte }
chan d = [1] of { byte };
notrace { c!1; c!2 }
active proctype s() { d!1; end: false }
