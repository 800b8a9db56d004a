/*
 * One producer, two consumers, and a buffer with one place.
 *
 * shows: a condition that is not asked again after waking up
 * expect: assertion line 23
 * fault: line 20 "if (items == 0 && !done)": between the signal and the moment the consumer runs again the other one may have taken the item
 * mend: line 20: while (items == 0 && !done)
 * pattern: if-for-while; story: lines 20, 24, 23 */
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int items, done;

static void *consume(void *unused)
{
    (void)unused;
    pthread_mutex_lock(&lock);
    if (items == 0 && !done)
        pthread_cond_wait(&changed, &lock);
    if (!done) {
        assert(items > 0);
        items--;
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, consume, NULL);
    pthread_create(&two, NULL, consume, NULL);
    pthread_mutex_lock(&lock);
    items = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    done = 1;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    return 0;
}
