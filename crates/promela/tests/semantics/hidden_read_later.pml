/* A hidden variable that one process reads later. */
hidden short h; byte x;
active proctype p() { if :: x == 0 -> h = 3; x = 1 :: x == 1 fi; x = h; h = 0; x = x + 1 }
