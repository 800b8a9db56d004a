/*
 * Turns the bits of a word, and turns them back.
 *
 * shows: shifts of a whole word; it holds for every word of 32 bits
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

static unsigned left(unsigned word, unsigned by)
{
    by &= 31;
    return by == 0 ? word : word << by | word >> (32 - by);
}

static unsigned right(unsigned word, unsigned by)
{
    return left(word, 32 - (by & 31));
}

int main(void)
{
    unsigned word = __VERIFIER_nondet_uint(), by = __VERIFIER_nondet_uint();
    assert(right(left(word, by), by) == word);
    return 0;
}
