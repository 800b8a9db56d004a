/* What is only written to a hidden variable makes no states. */
hidden byte h; byte x;
active proctype p() { do :: h = x; x = (x + 1) % 3 od }
active proctype q() { do :: h = 7 :: h = 9 od }
