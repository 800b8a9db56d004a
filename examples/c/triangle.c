/*
 * What kind of triangle three sides make.
 *
 * shows: absence of function: nobody asks whether the sides make a triangle at all
 * expect: assertion line 40
 * fault: line 16 "if (a <= 0 || b <= 0 || c <= 0)": sides of which one is as long as the other two together make no triangle
 * mend: line 16: if (a <= 0 || b <= 0 || c <= 0 || a + b <= c || b + c <= a || a + c <= b)
 * pattern: missing-case; story: lines 16, 40 */
#include <assert.h>
#include "verifier.h"

enum kind { IMPOSSIBLE, EQUILATERAL, ISOSCELES, SCALENE };

static enum kind classify(int a, int b, int c)
{
    if (a <= 0 || b <= 0 || c <= 0)
        return IMPOSSIBLE;
    if (a == b && b == c)
        return EQUILATERAL;
    if (a == b || b == c || a == c)
        return ISOSCELES;
    return SCALENE;
}

int main(void)
{
    int side[3];
    for (int i = 0; i < 3; i++) {
        int length = __VERIFIER_nondet_int();
        __VERIFIER_assume(length >= 0 && length <= 4);
        side[i] = length;
    }
    enum kind kind = classify(side[0], side[1], side[2]);
    int around = side[0] + side[1] + side[2];
    int longest = side[0];
    for (int i = 1; i < 3; i++)
        if (side[i] > longest)
            longest = side[i];
    if (kind != IMPOSSIBLE)
        assert(2 * longest < around);
    return 0;
}
