/* A random receive takes a message out of the middle. */
chan c = [3] of { byte };
byte x;
trace { c?2; c?1 }
active proctype s() { c!1; c!2; c??2; c?x; end: false }
