/*
 * A lock made of an atomic flag.
 *
 * shows: C11 atomics, test and set
 * expect: holds
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_flag busy = ATOMIC_FLAG_INIT;
static int balance = 10;

static void acquire(void)
{
    while (atomic_flag_test_and_set(&busy))
        ;
}

static void release(void)
{
    atomic_flag_clear(&busy);
}

static void *spend(void *amount)
{
    acquire();
    int left = balance - *(int *)amount;
    if (left >= 0)
        balance = left;
    release();
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    int small = 4, large = 7;
    pthread_create(&one, NULL, spend, &small);
    pthread_create(&two, NULL, spend, &large);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(balance == 6 || balance == 3);
    return 0;
}
