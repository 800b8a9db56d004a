/* A trace that is declared before all processes. */
chan c = [0] of { byte };
trace { c!1; c!2 }
active proctype s() { c!1; c!2 }
active proctype r() { c?1; c?2 }
