/* An initial value may depend on other variables. */
byte g = 3;
active proctype p() { byte a = g + 1; g = 7; byte b = a + g; assert(a == 4 || a == 8); assert(b == 11) }
