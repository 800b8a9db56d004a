/* A d_step that begins with a choice takes the first executable option only. */
byte x;
active proctype p() { d_step { if :: x = 1 :: x = 2 :: x = 3 fi; x = x + 10 } }
