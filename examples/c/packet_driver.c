/*
 * A network driver takes the device lock before it looks at the queue, and
 * lets go of it around every request that it sends. It looks again for as long
 * as packets were sent meanwhile.
 *
 * shows: locking discipline of a device driver, a value error in a loop condition
 * expect: assertion line 30
 * fault: line 44 "before = d->sent;": the count after the request is compared where the count before it was meant to be kept, so the lock is given back twice
 * mend: line 44: ;
 * pattern: double-release; story: lines 44, 30 */
#include <assert.h>
#include "verifier.h"

enum lock_state { FREE, TAKEN };

struct device {
    enum lock_state lock;
    int sent;
    int pending;
};

static void acquire(struct device *d)
{
    assert(d->lock == FREE);
    d->lock = TAKEN;
}

static void release(struct device *d)
{
    assert(d->lock == TAKEN);
    d->lock = FREE;
}

static int serve(struct device *d)
{
    int before;
    do {
        acquire(d);
        before = d->sent;
        if (d->pending > 0) {
            d->pending--;
            release(d);
            d->sent++;
            before = d->sent;
        }
    } while (before != d->sent);
    release(d);
    return d->sent;
}

int main(void)
{
    struct device eth = { FREE, 0, 0 };
    int pending = __VERIFIER_nondet_int();
    __VERIFIER_assume(pending >= 0 && pending <= 3);
    eth.pending = pending;
    int sent = serve(&eth);
    assert(sent == pending);
    return 0;
}
