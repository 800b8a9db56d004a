/* Looking at a message is no event, taking it is. */
chan c = [2] of { byte };
byte x;
trace { c?1; c?2 }
active proctype s() { c!1; c?<x>; c?[1]; c?x; c!2; c?<x>; c?2; end: false }
