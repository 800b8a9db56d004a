/* Records with fields of several types, and arrays in them. */
typedef point { byte x; short y; bit seen[3] };
point p1, ps[2];
active proctype p() { p1.x = 300; ps[1].y = -5; ps[1].seen[2] = 1; assert(p1.x == 44 && ps[1].y == -5 && ps[1].seen[2] && !ps[0].seen[2]) }
