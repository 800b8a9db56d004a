/* An end label in a trace. */
chan c = [1] of { byte };
trace { c!1; end: do :: c!2 od }
active proctype s() { c!1; if :: c?1; c!2; :: skip fi; end: false }
