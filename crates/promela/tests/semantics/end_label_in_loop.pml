/* An end label before a loop. */
chan c = [0] of { byte };
active proctype server() { byte v; end_here: do :: c?v -> v = 0 od }
active proctype client() { c!1; c!2 }
