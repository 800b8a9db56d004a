/*
 * Threads compute in phases, and nobody begins the second one before all have
 * finished the first.
 *
 * shows: a barrier, data without races
 * options: -p race
 * expect: holds
 */
#include <assert.h>
#include <pthread.h>

#define WORKERS 2

static pthread_barrier_t barrier;
static int parts[WORKERS], sums[WORKERS];

static void *work(void *argument)
{
    int me = *(int *)argument;
    parts[me] = me + 1;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < WORKERS; i++)
        sums[me] += parts[i];
    return NULL;
}

int main(void)
{
    pthread_t threads[WORKERS];
    int numbers[WORKERS];
    pthread_barrier_init(&barrier, NULL, WORKERS);
    for (int i = 0; i < WORKERS; i++) {
        numbers[i] = i;
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    }
    for (int i = 0; i < WORKERS; i++)
        pthread_join(threads[i], NULL);
    assert(sums[0] == 3 && sums[1] == 3);
    pthread_barrier_destroy(&barrier);
    return 0;
}
