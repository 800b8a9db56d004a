/*
 * Two lights at a crossing, driven by one table.
 *
 * shows: a table-driven state machine
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

enum colour { RED, RED_YELLOW, GREEN, YELLOW };

struct phase {
    enum colour main_road, side_road;
};

static const struct phase phases[] = {
    { GREEN, RED }, { YELLOW, RED }, { RED, RED_YELLOW }, { RED, GREEN }, { RED, YELLOW }, { RED_YELLOW, RED },
};
enum { PHASES = sizeof phases / sizeof phases[0] };

static int goes(enum colour c)
{
    return c == GREEN || c == YELLOW;
}

int main(void)
{
    int at = 0;
    for (int tick = 0; tick < 8; tick++) {
        assert(!(goes(phases[at].main_road) && goes(phases[at].side_road)));
        if (__VERIFIER_nondet_bool())
            at = (at + 1) % PHASES;
    }
    return 0;
}
