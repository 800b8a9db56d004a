/*
 * Channels that travel: clients ask a pool for a printer and get the channel
 * of one. With the job they send a channel for the answer. A printer that is
 * out of paper hands job and answer channel on to its neighbour, so that the
 * answer comes from a printer the client has never heard of.
 *
 * expect: none
 * enlarge: -DCLIENTS=3 (1.3 million states)
 */
#ifndef CLIENTS
#define CLIENTS		2
#endif
#define PRINTERS	2

mtype = { want, job, printed };

chan pool = [1] of { mtype, chan };
chan back = [1] of { chan };	/* a way of its own, or requests would block it */

byte printing[PRINTERS];	/* jobs in a printer's hands */

proctype Pool(chan first, second)
{
	chan who;
	chan idle = [PRINTERS] of { chan };

	xr pool;

	idle!first;
	idle!second;
end_open:
	do
	:: nempty(idle) && pool?[want, _] ->
		pool?want(who);
		idle?first;
		who!first
	:: back?first ->
		idle!first
	od
}

proctype Printer(byte nr; chan in, neighbour)
{
	chan answer;
	bool paper = true;

end_idle:
	do
	:: in?job(answer) ->
		printing[nr]++;
		assert(printing[nr] == 1);
		if
		:: paper ->
			answer!printed;
			paper = false
		:: !paper ->
			neighbour!job(answer);
			paper = true	/* refilled meanwhile */
		fi;
		printing[nr]--
	od
}

proctype Client()
{
	chan mine = [0] of { chan };
	chan done = [1] of { mtype };
	chan printer;

end_satisfied:
	do
	:: pool!want(mine);
	   mine?printer;
	   printer!job(done);
	   done?printed;
	   back!printer
	od
}

init {
	chan p0 = [1] of { mtype, chan };
	chan p1 = [1] of { mtype, chan };
	byte i;

	atomic {
		run Pool(p0, p1);
		run Printer(0, p0, p1);
		run Printer(1, p1, p0);
		do
		:: i < CLIENTS -> run Client(); i++
		:: else -> break
		od
	}
end_forever:
	false			/* the channels live as long as this process */
}
