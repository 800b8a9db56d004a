/*
 * A telephone switch: N subscribers, each with a phone handler.
 *
 * A user lifts the receiver and dials somebody else, or is rung. Handlers
 * signal to each other: setup, alert, answer, busy, release. Users listen to
 * the tone they get and may hang up after most of them.
 *
 * When two users dial each other at the same moment (or three in a circle),
 * each handler waits for an answer to its setup and none looks at the setup
 * that came in meanwhile ("glare").
 *
 * expect: deadlock
 * fault: line 86 ":: sig[me]?busy(_) ->": nothing beside this takes a setup that comes in while the handler waits for the answer to its own; first seen in line 80 "sig[peer]!setup(me)"; mended by a third branch that answers busy.
 * enlarge: -DN=3 (1 million states)
 * pattern: missing-case; story: lines 80 */
#ifndef N
#define N	2
#endif

mtype = {
	offhook, onhook, dial,				/* user to handler, as is answer */
	dialtone, ringback, busytone, ringing, talk,	/* handler to user */
	setup, alert, answer, busy, release		/* handler to handler */
};

chan hook[N] = [0] of { mtype, byte };
chan tone[N] = [0] of { mtype };
chan sig[N]  = [N] of { mtype, byte };			/* with the sender's number */

proctype User(byte me)
{
	byte whom;

end_rest:
	if
	:: hook[me]!offhook(me) -> tone[me]?dialtone; goto dialling
	:: tone[me]?ringing -> goto rung
	fi;
dialling:
	select(whom : 0 .. N-2);
	hook[me]!dial((whom < me -> whom : whom + 1));
	whom = 0;
	if
	:: tone[me]?busytone -> goto hang_up
	:: tone[me]?ringback
	fi;
	if
	:: tone[me]?talk -> goto talking
	:: goto hang_up			/* nobody there */
	fi;
rung:
	if
	:: hook[me]!answer(me) -> goto talking
	:: tone[me]?busytone -> goto end_rest	/* the ringing stops */
	fi;
talking:
	if
	:: tone[me]?busytone		/* the other one has hung up */
	:: skip
	fi;
hang_up:
	do
	:: hook[me]!onhook(me) -> break
	:: tone[me]?_			/* not listened to any more */
	od;
	goto end_rest
}

proctype Handler(byte me)
{
	byte peer, from;

end_idle:
	if
	:: hook[me]?offhook(_) -> tone[me]!dialtone; goto dialling
	:: sig[me]?setup(peer) -> sig[peer]!alert(me); tone[me]!ringing; goto rung
	fi;
dialling:
	if
	:: hook[me]?dial(peer) -> sig[peer]!setup(me); goto calling
	:: sig[me]?setup(from) -> sig[from]!busy(me); goto dialling
	fi;
calling:
	if
	:: sig[me]?alert(_) -> tone[me]!ringback; goto waiting
	:: sig[me]?busy(_) -> tone[me]!busytone; goto ending
	fi;
waiting:
	if
	:: sig[me]?answer(_) -> tone[me]!talk; goto connected
	:: sig[me]?setup(from) -> sig[from]!busy(me); goto waiting
	:: hook[me]?onhook(_) -> sig[peer]!release(me); goto closing
	fi;
rung:
	if
	:: hook[me]?answer(_) -> sig[peer]!answer(me); goto connected
	:: sig[me]?setup(from) -> sig[from]!busy(me); goto rung
	:: sig[me]?release(_) -> sig[peer]!release(me); tone[me]!busytone; goto end_idle
	fi;
connected:
	if
	:: hook[me]?onhook(_) -> sig[peer]!release(me); goto closing
	:: sig[me]?setup(from) -> sig[from]!busy(me); goto connected
	:: sig[me]?release(_) -> sig[peer]!release(me); tone[me]!busytone; goto ending
	fi;
closing:			/* until the other side confirms */
	if
	:: sig[me]?answer(_) -> goto closing
	:: sig[me]?setup(from) -> sig[from]!busy(me); goto closing
	:: sig[me]?release(_) -> goto end_idle
	fi;
ending:				/* until the user hangs up */
	if
	:: hook[me]?onhook(_) -> goto end_idle
	:: sig[me]?setup(from) -> sig[from]!busy(me); goto ending
	fi
}

init {
	byte i;
	atomic {
		for (i : 0 .. N-1) {
			run Handler(i);
			run User(i)
		}
	}
}
