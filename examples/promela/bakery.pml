/*
 * Lamport's bakery for three customers (CACM 17(8), 1974).
 *
 * A customer takes a number one larger than all it sees, then waits for every
 * customer with a smaller one; equal numbers are decided by the smaller name.
 * Reading the numbers of the others is not atomic: that is the point of it.
 *
 * expect: none
 * enlarge: -DROUNDS=2
 */
#ifndef CUSTOMERS
#define CUSTOMERS	3
#endif
#ifndef ROUNDS
#define ROUNDS		1
#endif

#define BEFORE(a, i, b, j)	\
	((a) < (b) || ((a) == (b) && (i) < (j)))

bool choosing[CUSTOMERS];
byte number[CUSTOMERS];
byte served;

proctype Customer(byte me)
{
	byte j, highest, rounds;

	do
	:: rounds == ROUNDS -> break
	:: else ->
		/* the doorway */
		choosing[me] = true;
		highest = 0;
		for (j : 0 .. CUSTOMERS-1) {
			highest = (number[j] > highest -> number[j] : highest)
		}
		number[me] = highest + 1;
		choosing[me] = false;

		/* the queue */
		for (j : 0 .. CUSTOMERS-1) {
			if
			:: j == me -> skip
			:: else ->
				!choosing[j];
				number[j] == 0 || BEFORE(number[me], me, number[j], j)
			fi
		}

		served++;
		assert(served == 1);
		served--;
		number[me] = 0;
		rounds++
	od
}

init {
	byte i;
	atomic {
		for (i : 0 .. CUSTOMERS-1) {
			run Customer(i)
		}
	}
}
