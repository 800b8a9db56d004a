/*
 * Adds two counters of 32 bits and stops at the largest number instead of starting again.
 *
 * shows: a sum that is tested for wrapping around after the fact; it holds for all pairs
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

static unsigned add(unsigned a, unsigned b)
{
    unsigned sum = a + b;
    return sum < a ? 0xffffffffu : sum;
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned sum = add(a, b);
    assert(sum >= a && sum >= b);
    assert(sum == add(b, a));
    return 0;
}
