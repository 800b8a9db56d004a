/* eval matches the value of a variable instead of setting it. */
chan c = [3] of { byte, byte };
byte k = 2;
active proctype p() { byte v; c!1,5; c!2,6; if :: c?eval(k),v -> assert(false) :: c?1,v -> skip fi; c?eval(k),v; assert(v == 6); c!4,1; c?eval(k + 2),v; assert(v == 1) }
