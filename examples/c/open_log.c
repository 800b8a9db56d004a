/*
 * Whoever writes to the log first opens it.
 *
 * shows: something that is done once, under threads
 * expect: holds
 */
#include <assert.h>
#include <pthread.h>

static pthread_once_t opened = PTHREAD_ONCE_INIT;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int opens, lines;

static void open_log(void)
{
    opens++;
}

static void *write_line(void *unused)
{
    (void)unused;
    pthread_once(&opened, open_log);
    pthread_mutex_lock(&lock);
    assert(opens == 1);
    lines++;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(void)
{
    pthread_t one, two;
    pthread_create(&one, NULL, write_line, NULL);
    pthread_create(&two, NULL, write_line, NULL);
    pthread_join(one, NULL);
    pthread_join(two, NULL);
    assert(lines == 2);
    return 0;
}
