/*
 * Two tellers move money between two accounts in opposite directions. Both
 * accounts are locked during a transfer.
 *
 * shows: a deadlock by locks that are taken in different orders
 * expect: deadlock
 * fault: line 29 "struct account *first = order->from, *second = order->to;": who pays is locked first, and that is another account for the other teller
 * mend: line 29: struct account *first = order->from->number < order->to->number ? order->from : order->to, *second = first == order->from ? order->to : order->from;
 * pattern: lock-order; story: lines 30 */
#include <assert.h>
#include <pthread.h>

struct account {
    pthread_mutex_t lock;
    int number;
    int balance;
};

struct order {
    struct account *from, *to;
};

static struct account alice = { PTHREAD_MUTEX_INITIALIZER, 1, 5 };
static struct account bob = { PTHREAD_MUTEX_INITIALIZER, 2, 5 };

static void *transfer(void *argument)
{
    struct order *order = argument;
    struct account *first = order->from, *second = order->to;
    pthread_mutex_lock(&first->lock);
    pthread_mutex_lock(&second->lock);
    order->from->balance--;
    order->to->balance++;
    pthread_mutex_unlock(&second->lock);
    pthread_mutex_unlock(&first->lock);
    return NULL;
}

int main(void)
{
    struct order there = { &alice, &bob }, back = { &bob, &alice };
    pthread_t one, two;
    pthread_create(&one, NULL, transfer, &there);
    pthread_create(&two, NULL, transfer, &back);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(alice.balance + bob.balance == 10);
    return 0;
}
