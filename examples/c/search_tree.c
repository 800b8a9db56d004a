/*
 * A search tree on the heap that holds every key once.
 *
 * shows: heap, recursion, a comparison that lets equal keys through
 * expect: assertion line 50
 * fault: line 29 "else": a key that is there already goes to the right
 * mend: line 29: else if (key > t->key)
 * pattern: missing-case; story: lines 30, 50 */
#include <assert.h>
#include <stdlib.h>
#include "verifier.h"

struct tree {
    int key;
    struct tree *left, *right;
};

static struct tree *insert(struct tree *t, int key)
{
    if (t == NULL) {
        struct tree *leaf = calloc(1, sizeof *leaf);
        if (leaf == NULL)
            exit(1);
        leaf->key = key;
        return leaf;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else
        t->right = insert(t->right, key);
    return t;
}

static int count(const struct tree *t)
{
    return t == NULL ? 0 : count(t->left) + 1 + count(t->right);
}

int main(void)
{
    struct tree *tree = NULL;
    int keys = 0;
    for (int i = 0; i < 3; i++) {
        int key = __VERIFIER_nondet_int();
        __VERIFIER_assume(key >= 0 && key <= 2);
        tree = insert(tree, key);
        keys |= 1 << key;
    }
    int different = (keys & 1) + (keys >> 1 & 1) + (keys >> 2 & 1);
    assert(count(tree) == different);
    return 0;
}
