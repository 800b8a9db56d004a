/*
 * Threads count under a lock, and one of them reads along.
 *
 * shows: a mutex that protects an invariant of two variables
 * expect: holds
 */
#include <assert.h>
#include <pthread.h>

static struct {
    pthread_mutex_t lock;
    int hits, misses, total;
} statistics = { PTHREAD_MUTEX_INITIALIZER, 0, 0, 0 };

static void count(int hit)
{
    pthread_mutex_lock(&statistics.lock);
    if (hit)
        statistics.hits++;
    else
        statistics.misses++;
    statistics.total++;
    pthread_mutex_unlock(&statistics.lock);
}

static void *work(void *hit)
{
    count(hit != NULL);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, work, &statistics);
    pthread_create(&two, NULL, work, NULL);
    pthread_mutex_lock(&statistics.lock);
    assert(statistics.hits + statistics.misses == statistics.total);
    pthread_mutex_unlock(&statistics.lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(statistics.total == 2);
    return 0;
}
