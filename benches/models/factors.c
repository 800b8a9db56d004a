/*
 * A product of two primes of 31 and 32 bits is to be taken apart: multiplication at its hardest, which no solver does in
 * a few seconds.
 */
#include <assert.h>

extern unsigned long __VERIFIER_nondet_ulong(void);

int main(void)
{
    unsigned long a = __VERIFIER_nondet_ulong(), b = __VERIFIER_nondet_ulong();
    if (a < 2 || b < 2 || a > 0xffffffff || b > 0xffffffff)
        return 0;
    assert(a * b != 4292017463532640823ul);
    return 0;
}
