/*
 * Reverses a list in place.
 *
 * shows: missing code: a statement that would move on is not there
 * expect: assertion line 48
 * fault: line 26 "list = rest;": the link of a node is turned round without remembering the node before it, so only the last node is left
 * mend: line 26: done = list; list = rest;
 * pattern: missing-statement */
#include <assert.h>
#include <stddef.h>
#include "verifier.h"

struct node {
    int value;
    struct node *next;
};

static struct node *reverse(struct node *list)
{
    struct node *done = NULL;
    while (list != NULL) {
        struct node *rest = list->next;
        list->next = done;
        if (rest == NULL)
            done = list;
        list = rest;
    }
    return done;
}

int main(void)
{
    struct node nodes[3];
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count >= 0 && count <= 3);
    struct node *list = NULL;
    for (int i = 0; i < count; i++) {
        nodes[i].value = i;
        nodes[i].next = list;
        list = &nodes[i];
    }
    list = reverse(list);
    int seen = 0;
    for (struct node *n = list; n != NULL; n = n->next) {
        assert(n->value == seen);
        seen++;
    }
    assert(seen == count);
    return 0;
}
