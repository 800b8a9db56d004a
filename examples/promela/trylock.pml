/*
 * A try-lock written with plain reads and writes.
 *
 * Each worker looks whether the lock is free, writes its own number into it
 * and looks again whether the number is still there. It gives up after TRIES
 * attempts and does something else. The author believed that the second look
 * makes the first two steps safe. It does not: a worker that has seen FREE
 * may be slow, and write only after the other one has looked for the second
 * time.
 *
 * expect: assertion
 * fault: trylock.h line 13 "owner == FREE -> owner = me;": test and set are two steps, another worker can look and set in between; mended by making them one atomic step.
 * enlarge: -DWORKERS=4 (more than 2 million states, deeper than 1 million steps)
 * pattern: check-then-act; story: lines 35, 39 */
#ifndef WORKERS
#define WORKERS 3
#endif
#ifndef TRIES
#define TRIES   2
#endif
#include "trylock.h"

byte holders = 0;

active [WORKERS] proctype Worker()
{
    byte me = _pid;
    bool got;
    unsigned tries : 2;

work:
    tries = 0;
    do
    :: tries < TRIES ->
        try_lock(me, got);
        if
        :: got ->
            holders++;
            assert(holders == 1);
            holders--;
            release_lock();
            break
        :: else -> tries++
        fi
    :: else ->
        break               /* do something else */
    od;
    goto work
}
