/* Globals of all types beside each other keep their values apart. */
bit a; byte b; bool c; short d; int e; unsigned f : 7; mtype = { m1, m2 }; mtype g; pid h; byte i[3];
active proctype p() { a = 1; b = 255; c = 1; d = -1; e = -1; f = 127; g = m1; h = 9; i[1] = 8; assert(a && b == 255 && c && d == -1 && e == -1 && f == 127 && g == 2 && h == 9 && i[0] + i[1] + i[2] == 8); e = 0; assert(d == -1 && f == 127) }
