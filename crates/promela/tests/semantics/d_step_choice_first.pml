/* A d_step that begins with a choice: only the first one that can be taken is. */
byte x, y;
active proctype p() { d_step { if :: x == 0 -> y = 1 :: x == 0 -> y = 2 :: x == 1 -> y = 3 fi; y++ } }
active proctype q() { x = 1 }
