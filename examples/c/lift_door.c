/*
 * The door of a lift, its motor, and people at the buttons.
 *
 * shows: an interlock that is missing in one of the transitions
 * expect: assertion line 58
 * fault: line 23 "return !l->moving && l->calls > 0;": the call from another floor starts the motor without asking for the door
 * mend: line 23: return !l->moving && !l->open && l->calls > 0;
 * pattern: none; story: lines 41, 48, 58 */
#include <assert.h>
#include <stdbool.h>
#include "verifier.h"

enum event { CALL, ARRIVE, OPEN, CLOSE };

struct lift {
    bool open;
    bool moving;
    int calls;
};

static bool may_start(const struct lift *l)
{
    return !l->moving && l->calls > 0;
}

static void handle(struct lift *l, enum event event)
{
    switch (event) {
    case CALL:
        if (l->calls < 2)
            l->calls++;
        break;
    case ARRIVE:
        if (l->moving) {
            l->moving = false;
            l->calls--;
        }
        break;
    case OPEN:
        if (!l->moving)
            l->open = true;
        break;
    case CLOSE:
        l->open = false;
        break;
    }
    if (may_start(l))
        l->moving = true;
}

int main(void)
{
    struct lift lift = { false, false, 0 };
    for (int i = 0; i < 4; i++) {
        int event = __VERIFIER_nondet_int();
        __VERIFIER_assume(event >= CALL && event <= CLOSE);
        handle(&lift, event);
        assert(!(lift.open && lift.moving));
        assert(lift.calls >= 0);
    }
    return 0;
}
