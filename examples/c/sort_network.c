/*
 * Four numbers put in order by the five comparisons of a sorting network.
 *
 * shows: comparisons that are just enough, beside sort_four.c
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

static int numbers[4];

static void compare(int low, int high)
{
    if (numbers[low] > numbers[high]) {
        int swapped = numbers[low];
        numbers[low] = numbers[high];
        numbers[high] = swapped;
    }
}

int main(void)
{
    for (int i = 0; i < 4; i++) {
        int n = __VERIFIER_nondet_int();
        __VERIFIER_assume(n >= 0 && n <= 3);
        numbers[i] = n;
    }
    compare(0, 1);
    compare(2, 3);
    compare(0, 2);
    compare(1, 3);
    compare(1, 2);
    assert(numbers[0] <= numbers[1]);
    assert(numbers[1] <= numbers[2]);
    assert(numbers[2] <= numbers[3]);
    return 0;
}
