/* A trace need not be at its end when no process is left. */
chan c = [1] of { byte };
trace { c!1; c!2 }
active proctype s() { c!1; c?1 }
