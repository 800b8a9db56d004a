/*
 * A worker runs until it is told to stop.
 *
 * shows: a data race on a flag that happens to do no harm here
 * options: -p race
 * expect: fault line 20
 * fault: line 14 "static int stop;": the flag is an ordinary variable, and nothing orders the write and the reads
 * mend: line 14: static atomic_int stop;
 * pattern: none; story: lines 20 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static int stop;
static int rounds;

static void *work(void *unused)
{
    (void)unused;
    while (!stop && rounds < 2)
        rounds++;
    return NULL;
}

int main(void)
{
    pthread_t worker;
    pthread_create(&worker, NULL, work, NULL);
    stop = 1;
    pthread_join(worker, NULL);
    assert(rounds <= 2);
    return 0;
}
