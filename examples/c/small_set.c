/*
 * A set of small numbers as bits in bytes.
 *
 * shows: bit operations, a mask that is too small
 * expect: assertion line 49
 * fault: line 20 "return (unsigned char)(1u << (n % 4));": the place in the byte is computed modulo 4
 * mend: line 20: return (unsigned char)(1u << (n % 8));
 * pattern: wrong-constant; story: lines 20, 49 */
#include <assert.h>
#include <string.h>
#include "verifier.h"

#define MEMBERS 16
typedef struct {
    unsigned char bytes[MEMBERS / 8];
} set;

static unsigned char mask(int n)
{
    return (unsigned char)(1u << (n % 4));
}

static void add(set *s, int n)
{
    s->bytes[n / 8] |= mask(n);
}

static void drop(set *s, int n)
{
    s->bytes[n / 8] &= (unsigned char)~mask(n);
}

static int has(const set *s, int n)
{
    return (s->bytes[n / 8] & mask(n)) != 0;
}

int main(void)
{
    set s;
    memset(&s, 0, sizeof s);
    int first = __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();
    __VERIFIER_assume(first >= 0 && first < MEMBERS);
    __VERIFIER_assume(second >= 0 && second < MEMBERS);
    add(&s, first);
    add(&s, second);
    drop(&s, second);
    assert(has(&s, first) == (first != second));
    return 0;
}
