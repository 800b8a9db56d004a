/* for over the messages of a channel takes each once and puts it back. */
typedef m { byte v };
chan c = [3] of { m };
byte s;
active proctype p() { m x; x.v = 1; c!x; x.v = 2; c!x; for (x in c) { s = s + x.v }; assert(s == 3 && len(c) == 2) }
