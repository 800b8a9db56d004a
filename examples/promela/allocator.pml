/*
 * An allocator of equal units. A client that finds none free puts itself on
 * the list of sleepers and sleeps; whoever gives a unit back wakes the sleeper
 * with the smallest number.
 *
 * expect: deadlock
 * fault: line 35 ":: free == 0 ->": a unit may be given back between this look and the entry in the list; nobody is there to be woken, and the client sleeps for ever (a lost wake-up); mended by one atomic step for both.
 * also: line 36 "sleepers!!me;"
 * enlarge: -DCLIENTS=4
 * pattern: missed-signal; story: lines 35, 43, 36 */
#ifndef CLIENTS
#define CLIENTS	3
#endif
#ifndef UNITS
#define UNITS	1
#endif
#ifndef ROUNDS
#define ROUNDS	2
#endif

mtype = { wake_up };

unsigned free : 4 = UNITS;
chan sleepers = [CLIENTS] of { byte };
chan bed[CLIENTS] = [1] of { mtype };

proctype Client(byte me)
{
	byte round, other;

	do
	:: round < ROUNDS ->
ask:		if
		:: atomic { free > 0 -> free-- }
		:: free == 0 ->
			sleepers!!me;
			bed[me]?wake_up;
			goto ask
		fi;

		/* use it, then give it back */
		assert(free < UNITS);
		free++;
		atomic {
			if
			:: nempty(sleepers) ->
				sleepers?other;
				bed[other]!wake_up;
				other = 0
			:: empty(sleepers)
			fi
		}
		round++
	:: else ->
		break
	od
}

init {
	byte i = 0;
	atomic {
		do
		:: i < CLIENTS -> run Client(i); i++
		:: else -> break
		od
	}
	(_nr_pr == 1);
	assert(free == UNITS)
}
