/*
 * A worker prepares a result and signals; the main thread waits for the
 * signal.
 *
 * shows: a missed signal
 * expect: deadlock
 * fault: line 32 "pthread_cond_wait(&ready, &lock);": nobody asks whether the result is there already before waiting for the signal
 * mend: line 32: while (result == 0) pthread_cond_wait(&ready, &lock);
 * pattern: missed-signal; story: lines 22, 32 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static int result;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    result = 42;
    pthread_cond_signal(&ready);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&ready, &lock);
    assert(result == 42);
    pthread_mutex_unlock(&lock);
    pthread_join(worker, NULL);
    return 0;
}
