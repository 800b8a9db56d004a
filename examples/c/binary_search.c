/*
 * Looks a key up in a sorted table by halving.
 *
 * shows: coincidental correctness: most keys are found in spite of the fault
 * expect: assertion line 39
 * fault: line 19 "while (low < high) {": the search gives up while one entry is still to be looked at
 * mend: line 19: while (low <= high) {
 * pattern: off-by-one; story: lines 19, 39 */
#include <assert.h>
#include "verifier.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

static const int table[] = { 2, 3, 5, 7, 11, 13 };

static int find(int key)
{
    int low = 0, high = (int)LENGTH(table) - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table[middle] == key)
            return middle;
        if (table[middle] < key)
            low = middle + 1;
        else
            high = middle - 1;
    }
    return -1;
}

int main(void)
{
    int key = __VERIFIER_nondet_int();
    __VERIFIER_assume(0 <= key && key <= 14);
    int at = find(key);
    int present = 0;
    for (unsigned i = 0; i < LENGTH(table); i++)
        present |= table[i] == key;
    assert(present == (at >= 0));
    if (at >= 0)
        assert(table[at] == key);
    return 0;
}
