/*
 * Producers and consumers on a small buffer guarded by a monitor, in the way
 * of Java: one lock, one set of waiting threads, notify wakes one of them.
 *
 * Producers and consumers wait in the same set. A consumer that has made room
 * may wake another consumer instead of a producer; that one finds nothing,
 * waits again, and the signal is gone.
 *
 * expect: deadlock
 * fault: line 93 "notify();  // there is room": the one that is woken need not be a producer; mended by notify_all().
 * also: line 77 "notify();  // there is something"
 * enlarge: -DPAIRS=3
 * pattern: wrong-notify */
#ifndef PAIRS
#define PAIRS 2
#endif
#ifndef ROOM
#define ROOM  1
#endif
#define THREADS (2 * PAIRS)

bool locked;
chan waiting = [THREADS] of { pid };
bool woken[THREADS];

byte items;                             /* in the buffer */

inline enter()
{
    atomic { !locked -> locked = true }
}

inline leave()
{
    locked = false
}

inline wait()
{
    atomic { waiting!_pid; locked = false }
    atomic { woken[_pid] -> woken[_pid] = false }
    enter()
}

inline notify()
{
    atomic {
        if
        :: waiting?who -> woken[who] = true; who = 0
        :: empty(waiting)
        fi
    }
}

inline notify_all()
{
    atomic {
        do
        :: waiting?who -> woken[who] = true
        :: empty(waiting) -> who = 0; break
        od
    }
}

active [PAIRS] proctype Producer()
{
    pid who;

    do
    :: enter();
       do
       :: items == ROOM -> wait()
       :: else -> break
       od;
       items++;
       assert(items <= ROOM);
       notify();  // there is something
       leave()
    od
}

active [PAIRS] proctype Consumer()
{
    pid who;

    do
    :: enter();
       do
       :: items == 0 -> wait()
       :: else -> break
       od;
       items--;
       notify();  // there is room
       leave()
    od
}
