/*
 * Dekker's algorithm: mutual exclusion for two processes with nothing but
 * shared variables (as told by E. W. Dijkstra, EWD 123).
 *
 * Both processes share a tally; each visit adds one, so a lost update shows
 * as a wrong tally at the end.
 *
 * expect: none
 * ltl: no_starvation holds
 * enlarge: -DVISITS=6
 */
#ifndef VISITS
#define VISITS 3
#endif
#define OTHER(p) (1 - (p))

bool want[2];
bit  turn;
byte tally, arrived;

inline lock(me)
{
    want[me] = true;
    do
    :: !want[OTHER(me)] -> break
    :: else ->
        if
        :: turn == me                       /* insist */
        :: else ->                          /* step back */
            want[me] = false;
            (turn == me);
            want[me] = true
        fi
    od
}

inline unlock(me)
{
    turn = OTHER(me);
    want[me] = false
}

proctype Visitor(bit me)
{
    byte copy;
    byte visits = VISITS;

    do
    :: visits > 0 ->
        lock(me);
        copy = tally;
        tally = copy + 1;
        unlock(me);
        visits--
    :: else -> break
    od;
done:
    arrived++
}

init {
    atomic { run Visitor(0); run Visitor(1) }
    arrived == 2 -> assert(tally == 2 * VISITS)
}

ltl no_starvation { <> (arrived == 2) }
