/*
 * Readers and writers with semaphores, writers waiting at a turnstile so that
 * a stream of readers cannot keep them out (after P. J. Courtois, F. Heymans,
 * D. L. Parnas, 1971, and the turnstile of A. Downey's book on semaphores).
 *
 * expect: none
 * enlarge: -DREADERS=3 -DWRITERS=2
 */
#include "sem.h"

#ifndef READERS
#define READERS	2
#endif
#ifndef WRITERS
#define WRITERS	2
#endif

semaphore turnstile = 1;
semaphore room_empty = 1;
semaphore mutex = 1;

byte reading;			/* protected by mutex */
show byte in_r, in_w;		/* who is in the room, for the assertions */

active [READERS] proctype Reader()
{
end:	do
	:: down(turnstile);
	   up(turnstile);

	   down(mutex);
	   reading++;
	   if
	   :: reading == 1 -> down(room_empty)
	   :: else
	   fi;
	   up(mutex);

	   in_r++;
	   assert(in_w == 0);
	   in_r--;

	   down(mutex);
	   reading--;
	   if
	   :: reading == 0 -> up(room_empty)
	   :: else
	   fi;
	   up(mutex)
	od
}

active [WRITERS] proctype Writer()
{
end:	do
	:: down(turnstile);
	   down(room_empty);

	   in_w++;
	   assert(in_w == 1 && in_r == 0);
	   in_w--;

	   up(turnstile);
	   up(room_empty)
	od
}
