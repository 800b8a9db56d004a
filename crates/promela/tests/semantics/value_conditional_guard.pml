/* A conditional expression as a guard and as an argument. */
chan c = [1] of { byte }; byte x = 1;
active proctype p() { byte y; (x == 1 -> x : 0) -> c!(x -> 7 : 8); c?y; assert(y == 7); (x -> 0 : 1) -> assert(false) }
