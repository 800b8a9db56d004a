/*
 * The next permutation in the order of the dictionary.
 *
 * shows: goto for leaving nested loops, arrays
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

#define N 3

static int next(int p[N])
{
    int i, j;
    for (i = N - 2; i >= 0; i--)
        for (j = N - 1; j > i; j--)
            if (p[i] < p[j])
                goto found;
    return 0;
found:;
    int t = p[i];
    p[i] = p[j];
    p[j] = t;
    for (int a = i + 1, b = N - 1; a < b; a++, b--) {
        t = p[a];
        p[a] = p[b];
        p[b] = t;
    }
    return 1;
}

int main(void)
{
    int p[N] = { 1, 2, 3 };
    int times = __VERIFIER_nondet_int();
    __VERIFIER_assume(times >= 0 && times <= 7);
    int made = 0, number = 123;
    while (made < times && next(p)) {
        int now = 100 * p[0] + 10 * p[1] + p[2];
        assert(now > number);
        number = now;
        made++;
    }
    assert(made == (times < 5 ? times : 5));
    return 0;
}
