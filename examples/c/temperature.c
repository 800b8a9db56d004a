/*
 * A thermostat with a margin, so that it does not switch all the time.
 *
 * shows: floating point, an invariant over a loop with inputs
 * expect: holds
 */
#include <assert.h>
#include <stdbool.h>
#include "verifier.h"

#define WANTED 20.0
#define MARGIN 1.0

struct room {
    double degrees;
    bool heating;
};

static void control(struct room *r)
{
    if (r->degrees < WANTED - MARGIN)
        r->heating = true;
    else if (r->degrees > WANTED + MARGIN)
        r->heating = false;
}

int main(void)
{
    struct room room = { WANTED, false };
    for (int hour = 0; hour < 6; hour++) {
        control(&room);
        bool window = __VERIFIER_nondet_bool();
        room.degrees += (room.heating ? 1.0 : -0.5) - (window ? 0.5 : 0.0);
        assert(room.degrees > 17.0 && room.degrees < 23.0);
    }
    return 0;
}
