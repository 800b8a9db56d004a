/*
 * Three philosophers who take the fork with the lower number first.
 *
 * shows: locks in a fixed order, an array of mutexes
 * expect: holds
 */
#include <assert.h>
#include <pthread.h>

#define SEATS 3

static pthread_mutex_t forks[SEATS] = {
    PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
};
static int holder[SEATS];

static void *dine(void *argument)
{
    int me = *(int *)argument;
    int left = me - 1, right = me % SEATS;
    int low = left < right ? left : right, high = left < right ? right : left;
    pthread_mutex_lock(&forks[low]);
    pthread_mutex_lock(&forks[high]);
    holder[low] = holder[high] = me;
    assert(holder[low] == me && holder[high] == me);
    pthread_mutex_unlock(&forks[high]);
    pthread_mutex_unlock(&forks[low]);
    return NULL;
}

int main(void)
{
    pthread_t threads[SEATS];
    int seats[SEATS];
    for (int i = 0; i < SEATS; i++) {
        seats[i] = i + 1;
        pthread_create(&threads[i], NULL, dine, &seats[i]);
    }
    for (int i = 0; i < SEATS; i++)
        pthread_join(threads[i], NULL);
    return 0;
}
