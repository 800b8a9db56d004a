/*
 * Dijkstra's dining philosophers. Everybody takes the left fork first.
 *
 * expect: deadlock
 * fault: line 26 "take(left(me));": everybody may hold the left fork and wait for the right one; mended by letting the last philosopher take the right fork first.
 * enlarge: -DN=8
 * pattern: lock-order; story: lines 26 */
#ifndef N
#define N 5
#endif
#define left(i)  fork[i]
#define right(i) fork[(i + 1) % N]

bool fork[N];       /* true: in somebody's hand */
byte meals;         /* modulo 2, so that eating leaves a trace */

inline take(f) { atomic { !f -> f = true } }
inline drop(f) { f = false }

active [N] proctype Philosopher()
{
    byte me = _pid;

    do
    :: /* think */
       take(left(me));
       take(right(me));
eat:   meals = (meals + 1) % 2;
       drop(left(me));
       drop(right(me))
    od
}
