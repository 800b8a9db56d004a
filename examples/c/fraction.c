/*
 * Adds fractions and cancels them down.
 *
 * shows: division by zero behind a recursive function
 * expect: fault line 24
 * fault: line 41 "__VERIFIER_assume(under >= 0 && under <= 3);": nothing keeps a fraction from having the denominator 0, which the greatest common divisor of 0 and 0 then is
 * mend: line 41: __VERIFIER_assume(under >= 1 && under <= 3);
 * pattern: division-by-zero; story: lines 23, 24 */
#include <assert.h>
#include "verifier.h"

typedef struct {
    int over, under;
} fraction;

static int gcd(int a, int b)
{
    return b == 0 ? a : gcd(b, a % b);
}

static fraction cancelled(fraction f)
{
    int by = gcd(f.over, f.under);
    f.over /= by;
    f.under /= by;
    return f;
}

static fraction sum(fraction a, fraction b)
{
    fraction s = { a.over * b.under + b.over * a.under, a.under * b.under };
    return cancelled(s);
}

static fraction input(void)
{
    fraction f;
    int over = __VERIFIER_nondet_int();
    __VERIFIER_assume(over >= 0 && over <= 2);
    int under = __VERIFIER_nondet_int();
    __VERIFIER_assume(under >= 0 && under <= 3);
    f.over = over;
    f.under = under;
    return f;
}

int main(void)
{
    fraction a = input(), b = input();
    fraction s = sum(a, b);
    assert(s.over * a.under * b.under == (a.over * b.under + b.over * a.under) * s.under);
    return 0;
}
