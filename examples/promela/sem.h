/*
 * Counting semaphores, busy-free: a process waits at down() until the count is positive.
 * Included by several models of this folder.
 */
#ifndef SEM_H
#define SEM_H

#define semaphore	byte

inline down(s)
{
	atomic { s > 0 -> s-- }
}

inline up(s)
{
	s++
}

#endif
