/*
 * Four numbers put in order by comparing neighbours (Groce and Visser, What Went
 * Wrong, 2003, Figure 5).
 *
 * shows: missing code: comparisons that would be needed are not there; named points for values
 * expect: assertion line 34
 * fault: line 31 "if (b > c) { temp = c; c = b; b = temp; }": the last one of the comparisons; after it a and b, and then b and c, would have to be compared again
 * mend: line 31: if (b > c) { temp = c; c = b; b = temp; } if (a > b) { temp = b; b = a; a = temp; } if (b > c) { temp = c; c = b; b = temp; }
 * pattern: missing-statement */
#include <assert.h>
#include "verifier.h"

static int number(void)
{
    int n = __VERIFIER_nondet_int();
    __VERIFIER_assume(n >= 0 && n <= 4);
    return n;
}

int main(void)
{
    int a = number();
    int b = number();
    int c = number();
    int d = number();
    int temp = 0;
    __WHEREFORE_point("pre-sort");
    if (a > b) { temp = b; b = a; a = temp; }
    if (b > c) { temp = c; c = b; b = temp; }
    if (c > d) { temp = d; d = c; c = temp; }
    if (b > c) { temp = c; c = b; b = temp; }
    __WHEREFORE_point("post-sort");

    assert(a <= b && b <= c && c <= d);
    return 0;
}
