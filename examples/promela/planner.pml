/*
 * The planner and the executive of a spacecraft, in the spirit of the deadlock
 * that was found in the Remote Agent: each sleeps until the other one has news,
 * and looks first whether there are any that it has not seen yet.
 *
 * expect: deadlock
 * fault: line 27 "asleep[me] = true": the news may come between the look at them and this step; nobody sleeps yet who could be woken, and the process sleeps for ever; mended by one atomic step for both.
 * also: line 26 ":: news[other] == seen ->"
 * pattern: missed-signal; story: lines 40, 52 */
#define PLANNER		0
#define EXECUTIVE	1
#define ROUNDS		2

byte news[2];		/* how often each had news for the other */
bool asleep[2];

inline tell(me, other)
{
	atomic { news[me]++; asleep[other] = false }
}

inline await(me, other)
{
	if
	/* nothing new: sleep until somebody wakes me */
	:: news[other] == seen ->
		asleep[me] = true;
		!asleep[me]
	:: else
	fi;
	seen++
}

active proctype planner()
{
	byte seen;

	do
	:: seen < ROUNDS ->
		tell(PLANNER, EXECUTIVE);	/* a plan */
		await(PLANNER, EXECUTIVE)
	:: else -> break
	od
}

active proctype executive()
{
	byte seen;

	do
	:: seen < ROUNDS ->
		await(EXECUTIVE, PLANNER);
		tell(EXECUTIVE, PLANNER)	/* a result */
	:: else -> break
	od
}
