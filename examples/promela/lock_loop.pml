/*
 * The lock program of Groce and Visser (What Went Wrong, 2003, Figure 4). In each
 * round a process may take a lock, and gives it back if it counts it as taken.
 *
 * expect: assertion
 * fault: line 34 "got_lock--": counts down in rounds without a lock, too, so that a lock that was never taken counts as taken; mended by counting down only where the lock is given back.
 * pattern: double-release; story: lines 34, 30 */
bit LOCK;

#define lock()   d_step { assert(LOCK == 0); LOCK = 1 }
#define unlock() d_step { assert(LOCK == 1); LOCK = 0 }

active proctype loop()
{
	byte got_lock;

	got_lock = 0;
	LOCK = 0;

again:
	if
	:: true ->
		lock();
		got_lock++
	:: true
	fi;

	if
	:: got_lock != 0 ->
		unlock()
	:: else
	fi;

	got_lock--;

	if
	:: goto again
	:: true
	fi
}
