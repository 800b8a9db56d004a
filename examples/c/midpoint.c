/*
 * Finds the middle of a range of addresses, as binary searches do.
 *
 * shows: signed overflow in a sum of which the half would fit
 * options: -p overflow
 * expect: fault line 17
 * fault: line 17 "return (low + high) / 2;": the sum of two large addresses is too large for an int
 * mend: line 17: return low + (high - low) / 2;
 * pattern: wrap-around; story: lines 17 */
#include <assert.h>
#include "verifier.h"

#define BASE 1073741820

static int middle(int low, int high)
{
    return (low + high) / 2;
}

int main(void)
{
    int start = __VERIFIER_nondet_int();
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(start >= 0 && start <= 4);
    __VERIFIER_assume(length >= 0 && length <= 4);
    int low = BASE + start, high = low + length;
    int m = middle(low, high);
    assert(low <= m && m <= high);
    return 0;
}
