/* An int wraps at 32 bits. */
int i = 2147483647;
active proctype p() { i = i + 1; assert(i < 0); i = -7 / 2; assert(i == -3); i = -7 % 3; assert(i == -1) }
