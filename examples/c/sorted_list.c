/*
 * A list on the heap that stays sorted.
 *
 * shows: heap, pointers to pointers
 * expect: holds
 */
#include <assert.h>
#include <stdlib.h>
#include "verifier.h"

struct node {
    int value;
    struct node *next;
};

static void insert(struct node **list, int value)
{
    while (*list != NULL && (*list)->value < value)
        list = &(*list)->next;
    struct node *node = malloc(sizeof *node);
    if (node == NULL)
        exit(1);
    node->value = value;
    node->next = *list;
    *list = node;
}

int main(void)
{
    struct node *list = NULL;
    int sum = 0;
    for (int i = 0; i < 3; i++) {
        int value = __VERIFIER_nondet_int();
        __VERIFIER_assume(value >= 0 && value <= 3);
        insert(&list, value);
        sum += value;
    }
    while (list != NULL) {
        struct node *next = list->next;
        assert(next == NULL || list->value <= next->value);
        sum -= list->value;
        free(list);
        list = next;
    }
    assert(sum == 0);
    return 0;
}
