/* A hidden variable is no part of the state. */
hidden byte h; byte x;
active proctype p() { h = 3; x = 1; h = 4; x = 2 }
