/*
 * A thread loads the configuration, another one uses it as soon as it is said
 * to be there.
 *
 * shows: an order violation: the flag is set before the data
 * expect: assertion line 39
 * fault: line 27 "atomic_store(&loaded, 1);": the flag tells of the configuration before it is complete
 * mend: line 27: current.port = 80;
 * mend: line 28: atomic_store(&loaded, 1);
 * pattern: use-before-ready; story: lines 27, 37, 39 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

struct configuration {
    int version;
    int port;
};

static struct configuration current;
static atomic_int loaded;

static void *load(void *unused)
{
    (void)unused;
    current.version = 2;
    atomic_store(&loaded, 1);
    current.port = 80;
    return NULL;
}

int main(void)
{
    pthread_t loader;
    pthread_create(&loader, NULL, load, NULL);
    if (atomic_load(&loaded)) {
        int port = current.port;
        assert(current.version == 2);
        assert(port == 80);
    }
    pthread_join(loader, NULL);
    return 0;
}
