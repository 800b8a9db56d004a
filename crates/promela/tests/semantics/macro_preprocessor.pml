/* Macros, with parameters and over several lines, and conditional parts. */
#define N 3
#define inc(v) v = (v + 1) % N
#define twice(v) \
	inc(v); \
	inc(v)
#ifdef UNDEFINED
byte wrong = undefined;
#elif N == 3
byte x;
#endif
active [N] proctype p() { twice(x); assert(x < N) }
