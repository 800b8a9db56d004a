/*
 * Sorts the marks of a class by insertion.
 *
 * shows: a loop that ends one element too early; coincidental correctness where the first mark is the least
 * expect: assertion line 39
 * fault: line 19 "while (j > 0 && marks[j] > mark) {": the first mark is never moved
 * mend: line 19: while (j >= 0 && marks[j] > mark) {
 * pattern: off-by-one; story: lines 19, 39 */
#include <assert.h>
#include "verifier.h"

#define PUPILS 4

static void sort(int marks[], int count)
{
    for (int i = 1; i < count; i++) {
        int mark = marks[i];
        int j = i - 1;
        while (j > 0 && marks[j] > mark) {
            marks[j + 1] = marks[j];
            j--;
        }
        marks[j + 1] = mark;
    }
}

int main(void)
{
    int marks[PUPILS];
    int sum = 0;
    for (int i = 0; i < PUPILS; i++) {
        int mark = __VERIFIER_nondet_int();
        __VERIFIER_assume(mark >= 1 && mark <= 3);
        marks[i] = mark;
        sum += mark;
    }
    sort(marks, PUPILS);
    for (int i = 0; i + 1 < PUPILS; i++)
        assert(marks[i] <= marks[i + 1]);
    for (int i = 0; i < PUPILS; i++)
        sum -= marks[i];
    assert(sum == 0);
    return 0;
}
