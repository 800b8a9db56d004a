/*
 * In how many ways an amount can be paid with given coins.
 *
 * shows: recursion with a wrong case at its bottom
 * expect: assertion line 29
 * fault: line 17 "if (amount <= 0)": an amount below 0 counts as one way to pay
 * mend: line 17: if (amount == 0)
 * pattern: wrong-operator; story: lines 17, 29 */
#include <assert.h>
#include "verifier.h"

static const int coins[] = { 1, 2, 5 };
#define KINDS 3

static int ways(int amount, int kind)
{
    if (amount <= 0)
        return 1;
    if (amount < 0 || kind == KINDS)
        return 0;
    return ways(amount - coins[kind], kind) + ways(amount, kind + 1);
}

int main(void)
{
    static const int expected[] = { 1, 1, 2, 2, 3, 4, 5 };
    int amount = __VERIFIER_nondet_int();
    __VERIFIER_assume(amount >= 0 && amount <= 6);
    assert(ways(amount, 0) == expected[amount]);
    return 0;
}
