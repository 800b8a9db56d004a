/* Shifts by more bits than there are, and by fewer than none. */
int x = 1; int n = 40;
active proctype p() { x = 1 << n; x = 1 << 31; x = x >> 33; x = -8 >> 1; x = 1 << (0-1) }
