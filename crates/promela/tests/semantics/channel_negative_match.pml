/* Negative constants in messages. */
chan c = [1] of { short };
active proctype p() { byte ok; c!-3; if :: c?-3 -> ok = 1 :: c?3 -> ok = 2 fi; assert(ok == 1) }
