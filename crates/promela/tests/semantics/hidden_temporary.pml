/* A hidden variable that is always written before it is read. */
hidden int tmp; byte x, y = 1;
active proctype p() { do :: d_step { tmp = x; x = y; y = tmp; tmp++ } :: atomic { tmp = y; y = (tmp + 1) % 4 } od }
active proctype q() { tmp = 5; tmp = 6; x = 3 }
