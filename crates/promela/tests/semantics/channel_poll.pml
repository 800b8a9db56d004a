/* c?[m] asks whether a receive could run and changes nothing. */
chan c = [2] of { byte, byte };
byte x;
active proctype p() { assert(!c?[1,x]); c!1,5; if :: c?[1,x] -> assert(x == 0) fi; assert(!c?[2,x]); c!2,6; assert(c??[2,x] && !c?[2,x]); assert(c?[_,_]) }
