/* A process cannot meet itself. */
chan c = [0] of { byte };
byte x;
active proctype p() { if :: c!1 :: c?x :: timeout -> x = 9 fi; assert(x == 9) }
