/* P[pid]@label for one of several processes. */
byte x;
active [2] proctype a() { x++; crit: x-- }
active proctype m() { if :: a[0]@crit && a[1]@crit -> assert(x == 2) :: timeout fi }
