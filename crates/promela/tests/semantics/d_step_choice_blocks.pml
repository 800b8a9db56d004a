/* A d_step that begins with a choice of which none can be taken at first. */
byte x, y;
active proctype p() { d_step { if :: x == 1 -> y = 1 :: x == 2 -> y = 2 fi; y++ } }
active proctype q() { x = 1; x = 2 }
