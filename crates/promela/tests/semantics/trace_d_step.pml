/* Messages inside atomic and d_step are events, too. */
chan c = [3] of { byte };
byte x;
trace { c!1; c!2; c?1; c?3 }
active proctype s() { atomic { c!1; c!2 }; d_step { c?x; c?x }; end: false }
