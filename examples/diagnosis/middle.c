#include "verifier.h" /* The middle of three different numbers, after Pu (2013), Figure 1, line by line. */
int main(void) {
    int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x >= 1 && x <= 10);
    int y = __VERIFIER_nondet_int(); __VERIFIER_assume(y >= 1 && y <= 10 && x != y);
    int z = __VERIFIER_nondet_int(); __VERIFIER_assume(z >= 1 && z <= 10 && x != z && y != z);
    int m = z;
    if (y < z) {
        if (x < y) {
            m = y;
        } else {
            if (x < z) {
                m = y; /* the fault: it should be x */
            }
        }
    } else {
        if (x > y) {
            m = y;
        } else {
            if (x > z) {
                m = x;
            }
        }
    }
    assert((y <= x && x <= z && m == x) || (z <= x && x <= y && m == x) || (z <= y && y <= x && m == y)
        || (x <= y && y <= z && m == y) || (x <= z && z <= y && m == z) || (y <= z && z <= x && m == z));
    return 0;
}
