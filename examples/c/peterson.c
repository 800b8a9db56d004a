/*
 * Mutual exclusion with nothing but variables.
 *
 * shows: threads that spin on shared memory
 * expect: holds
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int wants[2];
static atomic_int turn;
static int inside;

static void *enter(void *argument)
{
    int me = *(int *)argument, other = 1 - me;
    atomic_store(&wants[me], 1);
    atomic_store(&turn, other);
    while (atomic_load(&wants[other]) && atomic_load(&turn) == other)
        ;
    inside++;
    assert(inside == 1);
    inside--;
    atomic_store(&wants[me], 0);
    return NULL;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = { 0, 1 };
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, enter, &numbers[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
