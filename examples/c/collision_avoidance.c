/*
 * A decision that keeps aircraft apart: if another one is near, climb or
 * descend, whichever leaves more room, unless the other one is known to go the
 * same way.
 *
 * shows: a decision with many conditions, of which one compares the wrong quantity
 * expect: assertion line 71
 * fault: line 43 "int up_is_better = room_if_up(t) >= apart(t->own, t->other);": the room above is compared with itself after the climb, and not with the room below
 * mend: line 43: int up_is_better = room_if_up(t) > room_if_down(t);
 * pattern: none; story: lines 43, 71 */
#include <assert.h>
#include "verifier.h"

enum advice { NONE, CLIMB, DESCEND };
enum intent { UNKNOWN, GOES_UP, GOES_DOWN };

#define NEAR     4      /* hundreds of feet */
#define PER_STEP 2      /* gained by a manoeuvre */

struct traffic {
    int own, other;     /* heights */
    enum intent intent;
};

static int apart(int one, int two)
{
    return one > two ? one - two : two - one;
}

static int room_if_up(const struct traffic *t)
{
    return apart(t->own + PER_STEP, t->other);
}

static int room_if_down(const struct traffic *t)
{
    return apart(t->own - PER_STEP, t->other);
}

static enum advice decide(const struct traffic *t)
{
    int threat = apart(t->own, t->other) < NEAR;
    int up_is_better = room_if_up(t) >= apart(t->own, t->other);
    if (!threat)
        return NONE;
    if (t->intent == GOES_UP)
        return DESCEND;
    if (t->intent == GOES_DOWN)
        return CLIMB;
    return up_is_better ? CLIMB : DESCEND;
}

int main(void)
{
    struct traffic t;
    int own = __VERIFIER_nondet_int();
    int other = __VERIFIER_nondet_int();
    int intent = __VERIFIER_nondet_int();
    __VERIFIER_assume(own >= 10 && own <= 16);
    __VERIFIER_assume(other >= 10 && other <= 16);
    __VERIFIER_assume(intent >= UNKNOWN && intent <= GOES_DOWN);
    t.own = own;
    t.other = other;
    t.intent = intent;
    enum advice advice = decide(&t);
    if (apart(own, other) >= NEAR)
        assert(advice == NONE);
    else
        assert(advice != NONE);
    if (advice == CLIMB && t.intent == UNKNOWN)
        assert(room_if_up(&t) >= room_if_down(&t));
    if (advice == DESCEND && t.intent == UNKNOWN)
        assert(room_if_down(&t) >= room_if_up(&t));
    return 0;
}
