/*
 * Merges two sorted lists without new nodes.
 *
 * shows: heap, recursion on pointers
 * expect: holds
 */
#include <assert.h>
#include <stdlib.h>
#include "verifier.h"

typedef struct cell {
    int value;
    struct cell *next;
} cell;

static cell *cons(int value, cell *next)
{
    cell *c = malloc(sizeof(cell));
    if (!c)
        exit(1);
    c->value = value;
    c->next = next;
    return c;
}

static cell *merge(cell *a, cell *b)
{
    if (!a)
        return b;
    if (!b)
        return a;
    if (a->value <= b->value) {
        a->next = merge(a->next, b);
        return a;
    }
    b->next = merge(a, b->next);
    return b;
}

int main(void)
{
    cell *odd = NULL, *even = NULL;
    int count = 0;
    for (int value = 5; value >= 0; value--) {
        if (!__VERIFIER_nondet_bool())
            continue;
        if (value % 2)
            odd = cons(value, odd);
        else
            even = cons(value, even);
        count++;
    }
    cell *all = merge(odd, even);
    for (cell *c = all; c; c = c->next) {
        count--;
        assert(!c->next || c->value < c->next->value);
    }
    assert(count == 0);
    return 0;
}
