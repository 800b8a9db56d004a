/* Jumps and labels in a trace. */
chan c = [3] of { byte };
trace { A: if :: c!1; goto A :: c!2; goto B fi; B: c?1; c?2; end: c!9 }
active proctype s() { c!1; c!2; c?1; c?2; end: false }
