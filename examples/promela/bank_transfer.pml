/*
 * Tellers who move money between accounts. An account is locked while it is
 * worked on; a transfer locks the account it takes from, then the other.
 *
 * expect: deadlock
 * fault: line 44 "lock(from); lock(to);": two transfers in opposite directions each get their first lock and wait for the second; mended by locking the account with the smaller number first.
 * enlarge: -DSTART=2
 * pattern: lock-order; story: lines 44 */
#ifndef TELLERS
#define TELLERS  2
#endif
#ifndef ACCOUNTS
#define ACCOUNTS 3
#endif
#ifndef START
#define START    1                  /* on each account at the beginning */
#endif

typedef Account {
    bool locked;
    byte balance = START
}

Account account[ACCOUNTS];

#define lock(a)   atomic { !account[a].locked -> account[a].locked = true }
#define unlock(a) account[a].locked = false

inline pick_two(a, b)
{
    atomic {
        select(a : 0 .. ACCOUNTS - 1);
        select(b : 0 .. ACCOUNTS - 2);
        b = (b < a -> b : b + 1)
    }
}

proctype Teller()
{
    byte from, to;

    do
    :: pick_two(from, to);
       lock(from); lock(to);
       if
       :: account[from].balance > 0 ->
           account[from].balance--;
           account[to].balance++
       :: else -> printf("account %d is empty\n", from)
       fi;
       unlock(from);
       unlock(to);
       d_step { from = 0; to = 0 }
    od
}

/* locks everything in ascending order and counts the money */
proctype Auditor()
{
    byte a, sum;

    for (a : 0 .. ACCOUNTS - 1) {
        lock(a);
        sum = sum + account[a].balance
    }
    assert(sum == START * ACCOUNTS);
    for (a : 0 .. ACCOUNTS - 1) {
        unlock(a)
    }
}

init {
    byte t;
    atomic {
        for (t : 1 .. TELLERS) {
            run Teller()
        }
        run Auditor()
    }
}
