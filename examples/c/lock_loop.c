/*
 * The lock program of Groce and Visser (What Went Wrong, 2003, Figure 4). In
 * each round a lock may be taken, and is given back if it counts as taken.
 *
 * shows: a counter that is changed in rounds in which it should not be; two assertions of one discipline
 * expect: assertion line 24
 * fault: line 39 "got_lock--;": counts down in rounds without a lock, too
 * mend: line 37: unlock(); got_lock--;
 * mend: line 39: ;
 * pattern: double-release; story: lines 39, 24 */
#include <assert.h>
#include "verifier.h"

static int LOCK;

static void lock(void)
{
    assert(LOCK == 0);
    LOCK = 1;
}

static void unlock(void)
{
    assert(LOCK == 1);
    LOCK = 0;
}

int main(void)
{
    int got_lock = 0;
    LOCK = 0; do {
        if (__VERIFIER_nondet_bool()) {
            lock();
            got_lock++;
        }
        if (got_lock != 0) {
            unlock();
        }
        got_lock--;
    } while (__VERIFIER_nondet_bool());
    return 0;
}
