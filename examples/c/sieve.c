/*
 * Primes by crossing out multiples.
 *
 * shows: nested loops over an array of flags
 * expect: holds
 */
#include <assert.h>
#include <stdbool.h>
#include "verifier.h"

#define LIMIT 30

static bool composite[LIMIT + 1];

static bool is_prime(int n)
{
    for (int d = 2; d * d <= n; d++)
        if (n % d == 0)
            return false;
    return n > 1;
}

int main(void)
{
    for (int n = 2; n * n <= LIMIT; n++)
        if (!composite[n])
            for (int multiple = n * n; multiple <= LIMIT; multiple += n)
                composite[multiple] = true;
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 2 && n <= LIMIT);
    assert(composite[n] == !is_prime(n));
    return 0;
}
