/* _ takes a value and forgets it. */
chan c = [2] of { byte, byte };
active proctype p() { byte v; c!1,5; c!2,6; c?_,v; assert(v == 5); c?v,_; assert(v == 2); _ = 7 }
