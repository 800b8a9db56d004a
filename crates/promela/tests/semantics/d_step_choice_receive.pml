/* A d_step that begins with a choice of receives. */
chan c = [2] of { byte }; byte x, y;
active proctype p() { do :: d_step { if :: c?1 -> y = 1 :: c?x -> y = 2 fi; y++ } od }
active proctype q() { c!1; c!2; c!1 }
