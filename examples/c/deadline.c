/*
 * A timer on a clock of 32 bits that starts again at 0 when it is full.
 *
 * shows: times compared as numbers where only their distance counts; inputs of 32 bits
 * expect: assertion line 28
 * fault: line 14 "return now >= deadline;": a deadline behind the end of the clock looks as if it had passed
 * mend: line 14: return now - deadline < 0x80000000u;
 * pattern: wrap-around; story: lines 22, 14, 28 */
#include <assert.h>
#include "verifier.h"

static int has_passed(unsigned now, unsigned deadline)
{
    return now >= deadline;
}

int main(void)
{
    unsigned now = __VERIFIER_nondet_uint();
    unsigned delay = __VERIFIER_nondet_uint();
    __VERIFIER_assume(delay > 0 && delay < 1000000);
    unsigned deadline = now + delay;
    int ticks = 0;
    while (ticks < 3 && !has_passed(now, deadline)) {
        now += 1;
        ticks++;
    }
    assert(ticks == 3 || (unsigned)ticks == delay);
    return 0;
}
