/*
 * Threads look a value up under a lock for reading, and take the same lock for
 * writing if it is not there.
 *
 * shows: a lock for reading that is not given back before the lock for writing is asked for
 * expect: deadlock
 * fault: line 21 "pthread_rwlock_wrlock(&lock);": who still reads keeps everybody from writing, itself included
 * mend: line 21: pthread_rwlock_unlock(&lock); pthread_rwlock_wrlock(&lock);
 * pattern: lock-order; story: lines 18 */
#include <assert.h>
#include <pthread.h>

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static int cached;

static int lookup(void)
{
    pthread_rwlock_rdlock(&lock);
    int value = cached;
    if (value == 0) {
        pthread_rwlock_wrlock(&lock);
        if (cached == 0)
            cached = 7;
        value = cached;
    }
    pthread_rwlock_unlock(&lock);
    return value;
}

static void *reader(void *unused)
{
    (void)unused;
    assert(lookup() == 7);
    return NULL;
}

int main(void)
{
    pthread_t other;
    pthread_create(&other, NULL, reader, NULL);
    assert(lookup() == 7);
    pthread_join(other, NULL);
    return 0;
}
