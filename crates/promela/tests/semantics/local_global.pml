/* Globals declared local and shown ones are ordinary ones. */
local byte l; show byte s;
active proctype p() { l = 1; l = 2; s = l }
active proctype q() { s = 5 }
