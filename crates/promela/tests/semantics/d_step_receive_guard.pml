/* A d_step may begin with a receive from a buffer. */
chan c = [1] of { byte };
byte x, y;
active proctype p() { d_step { c?x -> y = x; x = 0 } }
active proctype q() { c!5; c!6 }
