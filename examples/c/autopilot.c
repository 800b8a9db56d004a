/*
 * An autopilot with modes: the pilot arms an altitude, the aircraft climbs or
 * descends to it and then holds it. The pilot may take over at any time.
 *
 * shows: a mode machine in which one way into a mode forgets to set what the mode uses
 * expect: assertion line 76
 * fault: line 35 "a->mode = MANUAL;": taking over by hand leaves the capture armed, so the old altitude is captured later
 * mend: line 35: a->mode = MANUAL; a->armed = 0;
 * pattern: stale-value; story: lines 30, 35, 50, 76 */
#include <assert.h>
#include "verifier.h"

enum mode { MANUAL, CLIMB, DESCEND, HOLD };
enum button { NOTHING, ARM_HIGH, ARM_LOW, DISENGAGE, PULL };

struct autopilot {
    enum mode mode;
    int altitude;
    int target;
    int armed;
    int pilot_in_charge;
};

static void press(struct autopilot *a, enum button button)
{
    switch (button) {
    case ARM_HIGH:
    case ARM_LOW:
        a->target = button == ARM_HIGH ? 3 : 0;
        a->armed = 1;
        a->pilot_in_charge = 0;
        a->mode = a->target > a->altitude ? CLIMB : DESCEND;
        break;
    case DISENGAGE:
        a->mode = MANUAL;
        a->pilot_in_charge = 1;
        break;
    case PULL:
        if (a->mode == MANUAL && a->altitude < 3)
            a->altitude++;
        break;
    case NOTHING:
        break;
    }
}

static void tick(struct autopilot *a)
{
    if (a->armed && a->altitude == a->target) {
        a->mode = HOLD;
        a->armed = 0;
    }
    switch (a->mode) {
    case CLIMB:
        a->altitude++;
        break;
    case DESCEND:
        a->altitude--;
        break;
    case MANUAL:
    case HOLD:
        break;
    }
}

int main(void)
{
    struct autopilot a = { MANUAL, 1, 1, 0, 1 };
    for (int second = 0; second < 4; second++) {
        int button = __VERIFIER_nondet_int();
        __VERIFIER_assume(button >= NOTHING && button <= PULL);
        press(&a, button);
        tick(&a);
        assert(a.altitude >= 0 && a.altitude <= 3);
        if (a.pilot_in_charge)
            assert(a.mode == MANUAL);
    }
    return 0;
}
