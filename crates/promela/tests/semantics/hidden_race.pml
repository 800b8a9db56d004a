/* Two values of a hidden variable that is read later. */
hidden byte h; byte x;
active proctype p() { if :: h = 1 :: h = 2 fi; x = 1; x = h }
