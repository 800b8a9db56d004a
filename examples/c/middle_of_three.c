/*
 * The middle of three numbers.
 *
 * shows: a wrong assignment in one branch of nested decisions
 * expect: assertion line 40
 * fault: line 19 "m = y;": the branch answers with the least number
 * mend: line 19: m = x;
 * pattern: wrong-variable; story: lines 19, 40 */
#include <assert.h>
#include "verifier.h"

static int middle(int x, int y, int z)
{
    int m = z;
    if (y < z) {
        if (x < y)
            m = y;
        else if (x < z)
            m = y;
    } else {
        if (x > y)
            m = y;
        else if (x > z)
            m = x;
    }
    return m;
}

int main(void)
{
    int x = __VERIFIER_nondet_int();
    int y = __VERIFIER_nondet_int();
    int z = __VERIFIER_nondet_int();
    __VERIFIER_assume(x >= 0 && x <= 4);
    __VERIFIER_assume(y >= 0 && y <= 4);
    __VERIFIER_assume(z >= 0 && z <= 4);
    int m = middle(x, y, z);
    int below = (x < m) + (y < m) + (z < m);
    int above = (x > m) + (y > m) + (z > m);
    assert(below <= 1 && above <= 1);
    return 0;
}
