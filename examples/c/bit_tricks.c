/*
 * Counting and isolating bits in several ways.
 *
 * shows: unsigned arithmetic, shifts, masks
 * expect: holds
 */
#include <assert.h>
#include <stdint.h>
#include "verifier.h"

static int count_by_loop(uint8_t bits)
{
    int count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

static int count_in_parallel(uint8_t bits)
{
    bits = (uint8_t)((bits & 0x55) + (bits >> 1 & 0x55));
    bits = (uint8_t)((bits & 0x33) + (bits >> 2 & 0x33));
    return (bits & 0x0f) + (bits >> 4);
}

int main(void)
{
    int input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input >= 0 && input <= 255);
    uint8_t bits = (uint8_t)input;
    assert(count_by_loop(bits) == count_in_parallel(bits));
    uint8_t lowest = bits & (uint8_t)-bits;
    assert(lowest == 0 || (count_by_loop(lowest) == 1 && (bits & (lowest - 1)) == 0));
    return 0;
}
