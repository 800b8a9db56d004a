/* The right side of && and || is not looked at when the left one decides. */
byte a[2], i = 5;
active proctype p() { if :: i < 2 && a[i] == 1 -> assert(false) :: else -> skip fi; if :: i > 4 || a[i] == 1 -> i = 1 fi }
