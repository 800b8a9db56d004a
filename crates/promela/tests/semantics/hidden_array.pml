/* Elements of a hidden array. */
hidden byte h[3]; byte x;
active proctype p() { h[0] = 1; h[x] = 2; x = 1; h[x] = 5; x = 2; x = h[0] }
