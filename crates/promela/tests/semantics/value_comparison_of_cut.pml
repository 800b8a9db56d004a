/* Expressions are computed as ints and cut only when stored. */
byte a = 200, b = 100; bit c;
active proctype p() { assert(a + b == 300); c = a + b > 255; assert(c == 1); assert(a - b - b - b == -100); assert(-a == -200) }
