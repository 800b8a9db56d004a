/*
 * A table with open addressing.
 *
 * shows: arrays of structures, wrapping probes
 * expect: holds
 */
#include <assert.h>
#include <stdbool.h>
#include "verifier.h"

#define SLOTS 4

struct entry {
    bool used;
    int key, value;
};

static struct entry table[SLOTS];

static struct entry *slot(int key)
{
    for (int i = 0; i < SLOTS; i++) {
        struct entry *e = &table[(key * 3 + i) % SLOTS];
        if (!e->used || e->key == key)
            return e;
    }
    return 0;
}

static bool put(int key, int value)
{
    struct entry *e = slot(key);
    if (!e)
        return false;
    *e = (struct entry){ true, key, value };
    return true;
}

int main(void)
{
    int last[6] = { 0 };
    for (int i = 1; i <= 3; i++) {
        int key = __VERIFIER_nondet_int();
        __VERIFIER_assume(key >= 0 && key < 6);
        bool stored = put(key, i);
        assert(stored);
        last[key] = i;
    }
    for (int key = 0; key < 6; key++) {
        struct entry *e = slot(key);
        assert((e->used ? e->value : 0) == last[key]);
    }
    return 0;
}
