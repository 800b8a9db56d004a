/*
 * Dining philosophers who share the forks as processes do: a fork is a process
 * of its own that is asked for and given back. Forks are numbered and always
 * asked for in ascending order, so no circle of waiting can close.
 *
 * expect: none
 * enlarge: -DN=5
 */
#ifndef N
#define N 4
#endif

mtype = { ask, give_back };

chan fork[N] = [0] of { mtype, byte };
byte user[N] = N;                       /* who has fork i; N: nobody */

#define LOW(a, b)  ((a) < (b) -> (a) : (b))
#define HIGH(a, b) ((a) < (b) -> (b) : (a))

proctype Fork(byte f)
{
    byte who;

end_lying:
    do
    :: fork[f]?ask(who) ->
        user[f] = who;
        fork[f]?give_back(eval(who));
        user[f] = N
    od
}

proctype Philosopher(byte me, first, second)
{
end_thinking:
    do
    :: fork[first]!ask(me);
       fork[second]!ask(me);
       /* the fork notes its user a little later than it is handed over */
       (user[first] == me && user[second] == me);
eating:
       if
       :: fork[first]!give_back(me); fork[second]!give_back(me)
       :: fork[second]!give_back(me); fork[first]!give_back(me)
       fi
    od
}

init {
    byte i, j;

    assert(N > 1);
    atomic {
        for (i : 0 .. N-1) {
            j = (i + 1) % N;
            run Fork(i);
            run Philosopher(i, LOW(i, j), HIGH(i, j))
        }
    }
}
