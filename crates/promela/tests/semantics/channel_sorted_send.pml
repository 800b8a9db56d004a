/* c!!m puts a message before the first greater one. */
chan c = [4] of { byte, byte };
active proctype p() { byte a, b; c!!3,1; c!!1,2; c!!2,9; c!!2,3; c?a,b; assert(a == 1); c?a,b; assert(a == 2 && b == 3); c?a,b; assert(b == 9) }
