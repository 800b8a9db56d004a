/*
 * How many days February has.
 *
 * shows: missing code: a rule of the calendar was forgotten
 * expect: assertion line 36
 * fault: line 16 "return year % 100 != 0;": years that can be divided by 400 are leap years again
 * mend: line 16: return year % 100 != 0 || year % 400 == 0;
 * pattern: missing-case; story: lines 16, 36 */
#include <assert.h>
#include "verifier.h"

static int is_leap(int year)
{
    if (year % 4 != 0)
        return 0;
    return year % 100 != 0;
}

static int days_of_february(int year)
{
    return is_leap(year) ? 29 : 28;
}

/* The days of all years before this one, since the year 1. */
static long days_before(int year)
{
    long y = year - 1;
    return 365 * y + y / 4 - y / 100 + y / 400;
}

int main(void)
{
    int year = __VERIFIER_nondet_int();
    __VERIFIER_assume(year >= 1896 && year <= 2004);
    long days = days_before(year + 1) - days_before(year);
    assert(days == 337 + days_of_february(year));
    return 0;
}
