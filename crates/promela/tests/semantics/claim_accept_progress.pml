/* accept and progress labels change nothing for safety. */
byte x;
active proctype p() { accept: do :: x < 3 -> progress: x++ :: x == 3 -> x = 0 od }
