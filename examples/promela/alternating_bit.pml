/*
 * The alternating bit protocol over channels that lose messages
 * (K. A. Bartlett, R. A. Scantlebury, P. T. Wilkinson, 1969).
 *
 * The sender numbers its items 0, 1, 2 .. modulo ITEMS. The receiver checks
 * that it accepts each item once and in order. The sender's timer may run
 * out at any time; with -DPATIENT only when nothing is under way any more.
 *
 * expect: none
 * enlarge: -DITEMS=16 -DROOM=3
 */
#include "net.h"

#ifndef ITEMS
#define ITEMS	4
#endif
#ifndef ROOM
#define ROOM	2
#endif

#ifdef PATIENT
#define TIMER	timeout
#else
#define TIMER	true
#endif

mtype = { ack };

chan forward  = [ROOM] of { byte, bit };	/* item, control bit */
chan backward = [ROOM] of { mtype, bit };

active proctype Sender()
{
	byte item;
	bit  sbit, abit;

send:
	lossy_send(forward, item, sbit);
	do
	:: backward?ack(abit) ->
		if
		:: abit == sbit ->
			sbit = 1 - sbit;
			item = INC(item, ITEMS);
			goto send
		:: else			/* an old acknowledgement */
		fi
	:: TIMER ->
		goto send
	od
}

active proctype Receiver()
{
	byte item, expected;
	bit  rbit, last = 1;

	do
	:: forward?item,rbit ->
		if
		:: rbit != last ->
progress:		assert(item == expected);
			expected = INC(expected, ITEMS);
			last = rbit
		:: else			/* seen before: acknowledge again */
		fi;
		lossy_send(backward, ack, rbit)
	od
}
