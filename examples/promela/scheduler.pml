/*
 * A small kernel: tasks are dispatched by priority (0 is the most urgent) from
 * a sorted ready queue, run for one slice, and then yield, wait for a device
 * or end. The device is slow: it answers only when nothing else can go on,
 * which Promela's own process priorities express.
 *
 * expect: none
 * enlarge: -DTASKS=4
 */
#ifndef TASKS
#define TASKS	3
#endif
#ifndef SLICES
#define SLICES	3		/* a task ends after so many */
#endif

mtype = { slice, yield, io, exit };

typedef TCB {			/* task control block */
	byte urgency;
	unsigned slices : 4;
	bool waiting
};

TCB task[TASKS];
chan ready = [TASKS] of { byte, byte };		/* urgency, task */
chan cpu[TASKS] = [1] of { mtype };
chan trap = [1] of { mtype };
byte running;			/* how many have the processor */
byte alive;

#define READY(t)	ready!!task[t].urgency,t

active proctype Kernel() priority 2
{
	byte t, u;
	mtype why;

	alive == TASKS;		/* booted */
	do
	:: ready?u,t ->
		/* nobody more urgent is left behind */
		assert(u == 0 || !ready??[0,_]);
		cpu[t]!slice;
		trap?why;
		if
		:: why == yield -> READY(t)
		:: why == io -> task[t].waiting = true
		:: why == exit -> alive--
		fi
	:: alive == 0 && empty(ready) ->
		break
	od;
	assert(running == 0)
}

proctype Task(byte me)
{
	do
	:: cpu[me]?slice ->
		running++;
		assert(running == 1);
		task[me].slices++;
		running--;
		if
		:: task[me].slices == SLICES -> trap!exit; break
		:: task[me].slices < SLICES -> trap!yield
		:: task[me].slices < SLICES -> trap!io
		fi
	od
}

active proctype Device()
{
	byte d;

end_idle:
	do
	:: select(d : 0 .. TASKS-1);
	   if
	   :: atomic { task[d].waiting -> task[d].waiting = false; READY(d) }
	   :: else
	   fi
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. TASKS-1) {
			task[i].urgency = i / 2;
			run Task(i) priority 2;
			alive++;
			READY(i)
		}
	}
}
