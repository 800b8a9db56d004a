/*
 * A lock that its owner may take again, as a counter.
 *
 * shows: locking discipline over several functions that call each other
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

static int depth;
static int writes;

static void lock(void)
{
    depth++;
}

static void unlock(void)
{
    assert(depth > 0);
    depth--;
}

static void write_one(void)
{
    lock();
    assert(depth > 0);
    writes++;
    unlock();
}

static void write_all(int count)
{
    lock();
    while (count-- > 0)
        write_one();
    unlock();
}

int main(void)
{
    int count = __VERIFIER_nondet_int();
    __VERIFIER_assume(count >= 0 && count <= 3);
    if (__VERIFIER_nondet_bool())
        write_one();
    write_all(count);
    assert(depth == 0);
    assert(writes == count || writes == count + 1);
    return 0;
}
