/* Arrays with one initial value for all elements. */
byte a[3] = 7; int i;
active proctype p() { a[1] = a[0] + a[2]; assert(a[1] == 14); do :: i < 3 -> a[i] = i; i++ :: else -> break od; assert(a[2] == 2 && a[a[1]] == 1) }
