/* for over the indices of an array. */
byte a[3] = 2, s;
active proctype p() { byte i; for (i in a) { a[i] = i; s = s + a[i] }; assert(s == 3) }
