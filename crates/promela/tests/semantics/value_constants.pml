/* true, false, skip and character constants. */
byte x = 'a'; bool b = true;
active proctype p() { assert(x == 97); b = false; assert(!b); x = '\n'; assert(x == 10); skip; true; 1 }
