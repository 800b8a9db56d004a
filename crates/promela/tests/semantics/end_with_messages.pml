/* Messages left in a channel do not make an end invalid. */
chan c = [2] of { byte };
active proctype p() { c!1; if :: c!2 :: skip fi }
