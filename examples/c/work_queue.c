/*
 * Workers take tasks from a shared list until it is empty; a condition
 * variable tells them of new ones.
 *
 * shows: a monitor with broadcast, threads that end when told
 * expect: holds
 */
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

#define TASKS 2

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int waiting, done;
static bool closed;

static void *work(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    for (;;) {
        while (waiting == 0 && !closed)
            pthread_cond_wait(&changed, &lock);
        if (waiting == 0)
            break;
        waiting--;
        done++;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t workers[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&workers[i], NULL, work, NULL);
    for (int task = 0; task < TASKS; task++) {
        pthread_mutex_lock(&lock);
        waiting++;
        pthread_cond_signal(&changed);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closed = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < 2; i++)
        pthread_join(workers[i], NULL);
    assert(done == TASKS && waiting == 0);
    return 0;
}
