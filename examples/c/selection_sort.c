/*
 * Sorts names by selection; what moves are pointers.
 *
 * shows: arrays of strings, pointer swaps
 * expect: holds
 */
#include <assert.h>
#include <string.h>
#include "verifier.h"

#define COUNT 3

static void swap(const char **a, const char **b)
{
    const char *t = *a;
    *a = *b;
    *b = t;
}

static void sort(const char *names[], int count)
{
    for (int i = 0; i < count; i++) {
        int least = i;
        for (int j = i + 1; j < count; j++)
            if (strcmp(names[j], names[least]) < 0)
                least = j;
        swap(&names[i], &names[least]);
    }
}

int main(void)
{
    static const char *all[] = { "ada", "bob", "eve" };
    const char *names[COUNT];
    for (int i = 0; i < COUNT; i++) {
        int which = __VERIFIER_nondet_int();
        __VERIFIER_assume(which >= 0 && which < 3);
        names[i] = all[which];
    }
    sort(names, COUNT);
    for (int i = 0; i + 1 < COUNT; i++)
        assert(strcmp(names[i], names[i + 1]) <= 0);
    return 0;
}
