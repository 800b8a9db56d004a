/* Control moves with the messages between two atomic sequences. */
chan a = [0] of { byte };
chan b = [0] of { byte };
byte x;
active proctype p() { byte v; atomic { a!1; b?v; x = v; a!3 } }
active proctype q() { byte v; atomic { a?v; b!2; a?v; assert(x == 2) } }
active proctype o() { x = 9 }
