/* A trace assertion that an order of messages does not meet. */
mtype = { a, b };
chan c = [2] of { mtype };
trace { do :: c!a; c?a :: c!b; c?b od }
active proctype s() { c!a; c!b }
active proctype r() { c?a; c?b }
