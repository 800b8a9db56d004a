/* A trace that is not at its end makes an end state invalid. */
chan c = [1] of { byte };
trace { c!1; c!2; c!3 }
active proctype s() { c!1; if :: c?1; c!2; :: skip fi; end: false }
