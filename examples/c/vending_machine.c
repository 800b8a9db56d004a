/*
 * A machine takes coins, sells, and gives change.
 *
 * shows: a value error in arithmetic that only some amounts reveal
 * expect: assertion line 56
 * fault: line 35 "m->credit -= FIVE;": change in large coins is counted with the value of a small one
 * mend: line 35: m->credit -= TEN;
 * pattern: wrong-constant; story: lines 35, 56 */
#include <assert.h>
#include "verifier.h"

enum coin { FIVE = 5, TEN = 10 };
#define PRICE 15

struct machine {
    int credit;
    int fives, tens;    /* in the box */
};

static void insert(struct machine *m, enum coin coin)
{
    m->credit += coin;
    if (coin == TEN)
        m->tens++;
    else
        m->fives++;
}

static int give(struct machine *m)
{
    int given = 0;
    m->credit -= PRICE;
    while (m->credit >= TEN && m->tens > 0) {
        m->tens--;
        m->credit -= FIVE;
        given += TEN;
    }
    while (m->credit >= FIVE && m->fives > 0) {
        m->fives--;
        m->credit -= FIVE;
        given += FIVE;
    }
    return given;
}

int main(void)
{
    struct machine m = { 0, 2, 1 };
    int paid = 0;
    for (int i = 0; i < 4; i++) {
        enum coin coin = __VERIFIER_nondet_bool() ? TEN : FIVE;
        insert(&m, coin);
        paid += coin;
    }
    int change = give(&m);
    assert(change <= paid - PRICE);
    assert(change + m.credit == paid - PRICE);
    return 0;
}
