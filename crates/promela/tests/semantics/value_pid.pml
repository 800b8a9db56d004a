/* A pid is a byte. */
pid p1; chan c = [1] of { pid };
active proctype p() { p1 = 300; assert(p1 == 44); c!511; c?p1; assert(p1 == 255) }
