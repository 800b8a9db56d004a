/* A trace assertion that every order of messages meets. */
mtype = { a, b };
chan c = [1] of { mtype };
trace { do :: c!a; c?a :: c!b; c?b od }
active proctype s() { c!a; c!b }
active proctype r() { c?a; c?b }
