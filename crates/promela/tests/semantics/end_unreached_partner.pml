/* Two processes that wait for each other for ever. */
chan a = [0] of { bit };
chan b = [0] of { bit };
active proctype p() { a!1; b?1 }
active proctype q() { b!1; a?1 }
