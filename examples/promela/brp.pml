/*
 * A bounded retransmission protocol: files are sent in CHUNKS chunks over
 * lossy lines K (frames) and L (acknowledgements). A chunk is repeated at
 * most MAX times, then the sender gives up, and the receiver learns it
 * through a timer of its own (here: the rendezvous `gave_up').
 *
 * The protocol relies on the sender's timer being longer than a frame and its
 * acknowledgement can take: it may run out only if one of them was lost.
 *
 * expect: deadlock
 * fault: line 85 ":: retries < MAX -> retries++;": the timer may run out while frame or acknowledgement is still under way; then sender, K, receiver and L wait for each other in a circle, or a late acknowledgement finds nobody; mended by asking for lost in this guard and the next.
 * also: line 88 ":: retries == MAX ->"
 * enlarge: -DCHUNKS=5 -DMAX=4
 * pattern: circular-full-channels; story: lines 97 */
#ifndef CHUNKS
#define CHUNKS	3
#endif
#ifndef MAX
#define MAX	2
#endif

mtype = { ok, not_ok, dont_know, begin, middle, finish };

/* first chunk?, last chunk?, alternating bit */
chan into_K   = [0] of { bool, bool, bit };
chan out_of_K = [0] of { bool, bool, bit };
chan into_L   = [0] of { bit };
chan out_of_L = [0] of { bit };
chan gave_up  = [0] of { bit };

bool lost;			/* did a line lose something? */

proctype K()
{
	bool first, last;
	bit ab;

end:	do
	:: into_K?first,last,ab ->
		if
		:: true -> out_of_K!first,last,ab
		:: lost = true
		fi
	od
}

proctype L()
{
	bit ab;

end:	do
	:: into_L?ab ->
		if
		:: true -> out_of_L!ab
		:: lost = true
		fi
	od
}

proctype Sender()
{
	bit ab;
	byte chunk, retries;
	mtype report;

next_file:
	chunk = 1;

next_chunk:
	retries = 0;

transmit:
	into_K!(chunk == 1),(chunk == CHUNKS),ab;
	if
	:: out_of_L?eval(ab) ->
		ab = 1 - ab;
		if
		:: chunk < CHUNKS ->
			chunk++;
			goto next_chunk
		:: else ->
			report = ok;
			goto inform
		fi
	:: retries < MAX -> retries++;
		lost = false;
		goto transmit
	:: retries == MAX ->
		lost = false;
		report = (chunk == CHUNKS -> dont_know : not_ok);
		goto inform
	fi;

inform:
	if
	:: report == ok
	:: report != ok -> gave_up!0; ab = 0
	fi;
	report = 0;
	goto next_file
}

proctype Receiver()
{
	bit ab, expected;
	bool first, last;
	bool fresh = true;	/* the next chunk is the first of a file */

	do
	:: out_of_K?first,last,ab ->
		if
		:: ab == expected ->
			printf("%e chunk\n", (first -> begin : (last -> finish : middle)));
			fresh = last;
			expected = 1 - expected
		:: else		/* a repetition */
		fi;
		into_L!ab
	:: gave_up?_ ->
		fresh = true;
		expected = 0
	od
}

init {
	atomic { run K(); run L(); run Sender(); run Receiver() }
}
