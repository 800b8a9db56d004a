/*
 * Dates packed into a word so that later dates are larger words.
 *
 * shows: bit-fields by hand, and an order that is kept; it holds for all dates
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

struct date {
    int year, month, day;
};

static struct date any(void)
{
    struct date d;
    d.year = __VERIFIER_nondet_int();
    d.month = __VERIFIER_nondet_int();
    d.day = __VERIFIER_nondet_int();
    __VERIFIER_assume(d.year >= 0 && d.year < 10000);
    __VERIFIER_assume(d.month >= 1 && d.month <= 12);
    __VERIFIER_assume(d.day >= 1 && d.day <= 31);
    return d;
}

static unsigned pack(struct date d)
{
    return (unsigned)d.year << 9 | (unsigned)d.month << 5 | (unsigned)d.day;
}

static int before(struct date a, struct date b)
{
    if (a.year != b.year)
        return a.year < b.year;
    if (a.month != b.month)
        return a.month < b.month;
    return a.day < b.day;
}

int main(void)
{
    struct date a = any(), b = any();
    assert(before(a, b) == (pack(a) < pack(b)));
    return 0;
}
