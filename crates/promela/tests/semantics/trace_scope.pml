/* Channels and directions that a trace does not mention are free. */
chan c = [2] of { byte }
chan d = [2] of { byte };
byte x;
trace { c!1; c!2 }
active proctype s() { c!1; d!5; c?x; d?x; c!2; c?x; end: false }
