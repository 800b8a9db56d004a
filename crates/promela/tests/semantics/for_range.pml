/* for over a range of numbers; its upper bound is looked at in each round. */
byte n = 3, s;
active proctype p() { byte i; for (i : 1 .. n) { s = s + i; if :: i == 2 -> n = 4 :: else fi }; assert(s == 10); assert(i == 5) }
