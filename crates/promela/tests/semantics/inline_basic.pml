/* inline replaces parameters by text. */
byte x = 1, y = 2;
inline swap(a, b) { t = a; a = b; b = t }
active proctype p() { byte t; swap(x, y); assert(x == 2 && y == 1) }
