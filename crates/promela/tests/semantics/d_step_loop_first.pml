/* A d_step that begins with a loop. */
byte x, y;
active proctype p() { d_step { do :: x < 3 -> x++ :: x == 3 -> break od; y = x } }
active proctype q() { x = 2 }
