/*
 * Makes a random number one of a range, by its remainder.
 *
 * shows: a division by zero for one pair of inputs of all there are
 * expect: fault line 15
 * fault: line 14 "unsigned span = high - low + 1;": the span of all numbers there are is 0
 * mend: line 14: unsigned span = high - low + 1 ? high - low + 1 : 0xffffffffu;
 * pattern: division-by-zero; story: lines 15 */
#include "verifier.h"

static unsigned roll(unsigned random, unsigned low, unsigned high)
{
    __VERIFIER_assume(low <= high);
    unsigned span = high - low + 1;
    return low + random % span;
}

int main(void)
{
    unsigned random = __VERIFIER_nondet_uint();
    unsigned low = __VERIFIER_nondet_uint(), high = __VERIFIER_nondet_uint();
    return roll(random, low, high) == random;
}
