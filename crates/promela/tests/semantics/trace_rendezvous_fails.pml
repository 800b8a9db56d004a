/* The halves of a rendezvous are two events, and here the send alone is watched. */
chan c = [0] of { byte };
byte x;
active proctype s() { c!1; c!3; c!2; c!2 }
active proctype r() { do :: c?x od }
trace { c!1; c!2 }
