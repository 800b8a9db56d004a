/*
 * A collector that marks and sweeps while the program (the mutator) changes
 * pointers, in the manner of M. Ben-Ari (1984): two colours only, and a mark
 * phase that is repeated until a pass finds no more black nodes than the one
 * before. Nodes have one pointer each, to themselves for nil; the first and
 * the last are registers of the program, which nothing else points to.
 *
 * The mutator colours the target of the new pointer. It has to do so after it
 * has set the pointer. In between, a whole collection can end and the next
 * one begin, with the target white again.
 *
 * expect: assertion
 * fault: line 71 "colour[target] = black;  // tell the collector": the target is coloured before the pointer is set, and may be white again when the pointer appears behind the collector's back; mended by setting the pointer first.
 * also: line 72 "atomic { next[source] = target; source = 0; target = 0 }"
 * enlarge: -DNODES=5
 * pattern: not-atomic-pair; story: lines 71, 72, 112 */
#ifndef NODES
#define NODES	4
#endif
#define LAST	(NODES - 1)
#define ALL(n)	n : 0 .. LAST

mtype = { white, black };

byte next[NODES];		/* where a node points; at the beginning a chain from the last down to 1 */
mtype colour[NODES] = white;
bool free[NODES];
bool seen[NODES];		/* scratch, false between uses */

/* which nodes can the program still see? */
inline find_seen()
{
	for (ALL(m)) {
		seen[m] = (m == 0 || m == LAST)
	}
	for (ALL(k)) {			/* long enough for the longest chain */
		for (ALL(m)) {
			seen[next[m]] = seen[next[m]] || seen[m]
		}
	}
	k = 0; m = 0
}

inline forget_seen()
{
	for (ALL(m)) {
		seen[m] = false
	}
	m = 0
}

/* n becomes a node from lo to hi that the program can see, or else `other' */
inline choose_seen(n, lo, hi, other)
{
	d_step { find_seen() }
	select(n : lo .. hi);
	n = (seen[n] -> n : other);
	d_step { forget_seen() }
}

proctype Mutator()
{
	byte source, target, k, m;

	do
	:: /* copy a pointer */
		atomic {
			choose_seen(source, 0, LAST, 0);
			choose_seen(target, 1, LAST - 1, source)
		}
		colour[target] = black;  // tell the collector
		atomic { next[source] = target; source = 0; target = 0 }
	:: /* a new node, held by register 0 */
		atomic {
			free[1] -> free[1] = false;
			colour[1] = black;
			next[0] = 1
		}
	od
}

proctype Collector()
{
	byte i, before, now, k, m;

	do
	:: /* mark */
		atomic { colour[0] = black; colour[LAST] = black }
		do
		:: do
		   :: d_step { i < NODES && colour[i] == black -> colour[next[i]] = black; i++ }
		   :: d_step { i < NODES && colour[i] == white -> i++ }
		   :: i == NODES -> break
		   od;
		   atomic {
			now = 0;
			for (ALL(i)) {
				now = now + (colour[i] == black -> 1 : 0)
			}
			i = 0;
			if
			:: now > before -> before = now; now = 0
			:: else -> before = 0; now = 0; break
			fi
		   }
		od;

		/* sweep: black nodes turn white, white ones are free */
		do
		:: d_step { i < NODES && colour[i] == black -> colour[i] = white; i++ }
		:: d_step { i < NODES && free[i] -> i++ }
		:: d_step { i < NODES && colour[i] == white && !free[i] ->
				find_seen();
				assert(!seen[i]);
				free[i] = !seen[i];
				next[i] = (free[i] -> i : next[i]);
				forget_seen();
				i++
			}
		:: atomic { i == NODES -> i = 0; break }
		od
	od
}

init {
	byte n;
	atomic {
		for (n : 2 .. LAST) {
			next[n] = n - 1
		}
		next[1] = 1;
		run Mutator();
		run Collector()
	}
}
