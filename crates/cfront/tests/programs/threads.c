/* Two threads, a lock, a condition, and an atomic counter. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>

#define WORKERS 2

extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
void reach_error(void) {}

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static bool go;
static atomic_int done;
static _Thread_local int mine;
volatile int shared;

static void *work(void *argument)
{
    int *number = argument;
    pthread_mutex_lock(&lock);
    while (!go)
        pthread_cond_wait(&ready, &lock);
    shared += *number;
    pthread_mutex_unlock(&lock);
    mine = shared;
    atomic_fetch_add(&done, 1);
    return (void *)(long)mine;
}

int main(void)
{
    pthread_t threads[WORKERS];
    int numbers[WORKERS] = {1, [WORKERS - 1] = 2};
    int input = __VERIFIER_nondet_int();
    __VERIFIER_assume(input >= 0 && input <= 4);
    for (int i = 0; i < WORKERS; ++i)
        pthread_create(&threads[i], NULL, work, &numbers[i]);
    pthread_mutex_lock(&lock);
    go = true;
    pthread_cond_broadcast(&ready);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < WORKERS; ++i)
        pthread_join(threads[i], NULL);
    if (atomic_load(&done) != WORKERS || shared > input)
        reach_error();
    printf("%d %d\n", shared, done);
    return 0;
}
