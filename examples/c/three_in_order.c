/*
 * Three numbers put in order by comparing neighbours.
 *
 * shows: three comparisons of neighbours, just enough for three numbers
 * expect: holds
 */
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
    int temp;
    if (a > b) { temp = b; b = a; a = temp; }
    if (b > c) { temp = c; c = b; b = temp; }
    if (a > b) { temp = b; b = a; a = temp; }
    assert(a <= b && b <= c);
    return 0;
}
