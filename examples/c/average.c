/*
 * The average of two measurements, each any number that a counter of 32 bits can show.
 *
 * shows: a sum that wraps around; the inputs are too many to be tried one by one
 * expect: assertion line 22
 * fault: line 14 "return (a + b) / 2;": the sum of two large numbers wraps around
 * mend: line 14: return a / 2 + b / 2 + (a & b & 1);
 * pattern: wrap-around; story: lines 14, 22 */
#include <assert.h>
#include "verifier.h"

static unsigned average(unsigned a, unsigned b)
{
    return (a + b) / 2;
}

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    unsigned least = a < b ? a : b, most = a < b ? b : a;
    unsigned middle = average(a, b);
    assert(least <= middle && middle <= most);
    return 0;
}
