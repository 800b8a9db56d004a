/* Only the first try counts: a notrace does not begin anew. */
chan c = [3] of { byte };
notrace { c!1; c!2 }
active proctype s() { c!3; c!1; c!2; end: false }
