/*
 * Peterson's filter: mutual exclusion for N processes (G. L. Peterson, 1981).
 *
 * A process climbs N-1 levels; at each it waits until nobody else is as high
 * or somebody came to this level after it.
 *
 * expect: none
 * ltl: exclusion holds
 * enlarge: -DN=4 (more than 18 million states, deeper than 1 million steps)
 */
#ifndef N
#define N	3
#endif

byte level[N];		/* 0: not interested */
byte last[N];		/* who came last to a level */
byte inside;		/* how many are in the critical section */

active [N] proctype Contender()
{
	byte l, k;

	do
	:: true ->
		for (l : 1 .. N-1) {
			level[_pid] = l;
			last[l] = _pid;
			for (k : 0 .. N-1) {
				if
				:: k == _pid
				:: k != _pid -> (level[k] < l || last[l] != _pid)
				fi
			}
		}
		inside++;
cs:		assert(inside == 1);
		inside--;
		level[_pid] = 0
	od
}

ltl exclusion { [] !(Contender[0]@cs && Contender[1]@cs) }
