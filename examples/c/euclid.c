/*
 * The greatest common divisor by remainders, compared with the definition.
 *
 * shows: loops, two ways to compute the same
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

static unsigned gcd(unsigned a, unsigned b)
{
    while (b != 0) {
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static unsigned greatest(unsigned a, unsigned b)
{
    unsigned best = 1;
    for (unsigned n = 2; n <= a && n <= b; n++)
        if (a % n == 0 && b % n == 0)
            best = n;
    return best;
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint();
    unsigned b = __VERIFIER_nondet_uint();
    __VERIFIER_assume(a >= 1 && a <= 12);
    __VERIFIER_assume(b >= 1 && b <= 12);
    assert(gcd(a, b) == greatest(a, b));
    return 0;
}
