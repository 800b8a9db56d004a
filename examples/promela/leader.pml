/*
 * Leader election in a one-way ring (E. Chang and R. Roberts, 1979).
 *
 * Every node may wake up at any time, or be woken by a message. A node passes
 * on names larger than its own and swallows smaller ones; who gets its own
 * name back has won, and tells it round the ring.
 *
 * expect: none
 * ltl: elected holds
 * enlarge: -DN=6
 */
#ifndef N
#define N	4
#endif
#define MAXN	8

#if N < 2 || N > MAXN
#error "N must be 2 to 8"
#endif

mtype = { candidate, winner };

byte name[MAXN] = { 3, 7, 1, 5, 8, 2, 6, 4 };
chan ring[N] = [2] of { mtype, byte };

byte leaders;		/* how many believe they have won */
byte informed;		/* how many know the result */

proctype Node(chan in, out; byte me)
{
	byte n;
	bool awake = false;

	xr in;
	xs out;

	do
	:: !awake ->
		awake = true;
		out!candidate(me)
	:: in?candidate(n) ->
		if
		:: n > me ->
			awake = true;
			out!candidate(n)
		:: n < me && !awake ->
			awake = true;
			out!candidate(me)
		:: n < me && awake		/* swallowed */
		:: n == me ->
			leaders++;
			assert(leaders == 1);
			out!winner(me);
			in?winner(eval(me));	/* once round */
			break
		fi
	:: in?winner(n) ->
		assert(n > me);
		out!winner(n);
		break
	od;
	informed++
}

init {
	byte i;
	atomic {
		for (i : 0 .. N-1) {
			run Node(ring[i], ring[(i + 1) % N], name[i])
		}
	}
}

ltl elected { <> (informed == N && leaders == 1) }
