/*
 * An account with a fee for withdrawals and a limit below 0.
 *
 * shows: two faults, each of which is enough to fail
 * expect: assertion line 54
 * fault: line 25 "if (a->frozen || a->balance - amount < LIMIT)": the fee is left out of the test, so the limit can be passed by the fee
 * fault: line 38 "a->balance += amount;": a deposit after the limit was passed is booked twice
 * mend: line 25: if (a->frozen || a->balance - amount - FEE < LIMIT)
 * mend: line 38: ;
 * pattern: none; story: lines 27, 54 */
#include <assert.h>
#include "verifier.h"

#define LIMIT (-2)
#define FEE   1

struct account {
    int balance;
    int in, out;
    int frozen;
};

static int withdraw(struct account *a, int amount)
{
    if (a->frozen || a->balance - amount < LIMIT)
        return 0;
    a->balance -= amount + FEE;
    a->out += amount + FEE;
    if (a->balance <= LIMIT)
        a->frozen = 1;
    return 1;
}

static void deposit(struct account *a, int amount)
{
    if (a->frozen) {
        a->frozen = 0;
        a->balance += amount;
    }
    a->balance += amount;
    a->in += amount;
}

int main(void)
{
    struct account a = { 1, 0, 0, 0 };
    for (int i = 0; i < 3; i++) {
        int amount = __VERIFIER_nondet_int();
        __VERIFIER_assume(amount >= 1 && amount <= 3);
        if (__VERIFIER_nondet_bool())
            withdraw(&a, amount);
        else
            deposit(&a, amount);
        assert(a.balance == 1 + a.in - a.out && a.balance >= LIMIT);
    }
    return 0;
}
