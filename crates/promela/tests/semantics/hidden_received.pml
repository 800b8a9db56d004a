/* A message received into a hidden variable. */
hidden byte h; byte x;
chan c = [2] of { byte };
active proctype p() { do :: c!1 :: c!2 od }
active proctype q() { do :: c?h :: atomic { c?h; x = h } od }
