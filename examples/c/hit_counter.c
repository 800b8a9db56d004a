/*
 * Two workers count the hits of a web server in a shared counter.
 *
 * shows: a lost update
 * expect: assertion line 35
 * fault: line 21 "int seen = hits;": the counter is read and written in two steps that the other worker can come between
 * mend: line 21: pthread_mutex_lock(&lock); int seen = hits;
 * mend: line 23: hits = seen; pthread_mutex_unlock(&lock);
 * pattern: lost-update; story: lines 21, 23, 35 */
#include <assert.h>
#include <pthread.h>

#define WORKERS 2

static int hits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *serve(void *unused)
{
    (void)unused;
    int seen = hits;
    seen = seen + 1;
    hits = seen;
    return NULL;
}

int main(void)
{
    pthread_t workers[WORKERS];
    for (int i = 0; i < WORKERS; i++)
        pthread_create(&workers[i], NULL, serve, NULL);
    for (int i = 0; i < WORKERS; i++)
        pthread_join(workers[i], NULL);
    pthread_mutex_lock(&lock);
    assert(hits == WORKERS);
    pthread_mutex_unlock(&lock);
    return 0;
}
