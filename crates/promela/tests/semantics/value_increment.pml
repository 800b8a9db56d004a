/* ++ and -- are statements that cut as assignments do. */
byte b; bit t = 1; short a[2];
active proctype p() { b--; assert(b == 255); b++; t++; assert(t == 0); t--; assert(t == 1); a[1]--; assert(a[1] == -1 && b == 0) }
