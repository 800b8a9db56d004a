/* Locals of an inline are set anew in each call. */
byte x;
inline add(k) { byte t = 1; t = t + k; x = x + t }
active proctype p() { add(2); add(3); assert(x == 7) }
