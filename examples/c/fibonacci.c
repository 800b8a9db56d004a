/*
 * Fibonacci numbers by recursion that remembers, and by a loop.
 *
 * shows: recursion, a static table
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

#define MOST 12

static int known[MOST + 1];

static int fibonacci(int n)
{
    if (n < 2)
        return n;
    if (known[n] == 0)
        known[n] = fibonacci(n - 1) + fibonacci(n - 2);
    return known[n];
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > MOST)
        return 0;
    int one = 0, two = 1;
    for (int i = 0; i < n; i++) {
        int sum = one + two;
        one = two;
        two = sum;
    }
    assert(fibonacci(n) == one);
    return 0;
}
