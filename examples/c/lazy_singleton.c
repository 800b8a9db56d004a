/*
 * A value that several threads ask for is made by the first of them.
 *
 * shows: a lock around a test and the work that follows it, heap in threads
 * expect: holds
 */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int *instance;
static int made;

static int *get(void)
{
    pthread_mutex_lock(&lock);
    if (instance == NULL) {
        instance = malloc(sizeof *instance);
        if (instance == NULL)
            exit(1);
        *instance = 99;
        made++;
    }
    int *result = instance;
    pthread_mutex_unlock(&lock);
    return result;
}

static void *ask(void *unused)
{
    (void)unused;
    assert(*get() == 99);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, ask, NULL);
    pthread_create(&two, NULL, ask, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(made == 1);
    free(instance);
    return 0;
}
