/*
 * A barrier used in several rounds. The last thread to arrive opens the gate
 * for everybody by raising a semaphore as often as there are threads.
 *
 * A thread that is quick passes the gate, does its next piece of work, arrives
 * again and passes once more on a permit that was meant for a slow one.
 *
 * expect: deadlock
 * fault: line 42 "down(gate);": permits of one round can be taken by a thread that is already in the next, and a slow thread stays behind; mended by a gate of its own for odd and even rounds.
 * enlarge: -DTHREADS=4
 * pattern: wrong-notify; story: lines 42 */
#include "sem.h"

#ifndef THREADS
#define THREADS	3
#endif
#ifndef ROUNDS
#define ROUNDS	2
#endif

semaphore mutex = 1;
semaphore gate = 0;
byte arrived;

proctype Thread()
{
	byte round, k;

	for (round : 1 .. ROUNDS) {
		/* work, then wait for the others */
		down(mutex);
		arrived++;
		if
		:: arrived == THREADS ->
			arrived = 0;
			for (k : 1 .. THREADS) {
				up(gate)
			}
		:: else
		fi;
		up(mutex);
		down(gate);
	}
}

init {
	byte t;
	atomic {
		for (t : 1 .. THREADS) {
			run Thread()
		}
	}
}
