/* The same with more to do behind the label, in another order, and through a choice. */
byte x;
active proctype p() {
    goto start;
    atomic { x = 9; middle: x = 2; x = 0 };
    goto out;
start:
    atomic { x = 1; if :: x == 1 -> goto middle :: else -> skip fi };
out: skip
}
active proctype m() { byte seen; seen = x; assert(seen == 0 || seen == 1) }
