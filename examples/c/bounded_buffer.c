/*
 * A producer and a consumer with a ring and two semaphores.
 *
 * shows: semaphores as counters of free and full places
 * expect: holds
 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define PLACES 2
#define ITEMS  3

static int ring[PLACES];
static sem_t free_places, full_places;

static void *produce(void *unused)
{
    (void)unused;
    for (int item = 1, in = 0; item <= ITEMS; item++, in = (in + 1) % PLACES) {
        sem_wait(&free_places);
        ring[in] = item;
        sem_post(&full_places);
    }
    return NULL;
}

int main(void)
{
    pthread_t producer;
    sem_init(&free_places, 0, PLACES);
    sem_init(&full_places, 0, 0);
    pthread_create(&producer, NULL, produce, NULL);
    for (int item = 1, out = 0; item <= ITEMS; item++, out = (out + 1) % PLACES) {
        sem_wait(&full_places);
        assert(ring[out] == item);
        sem_post(&free_places);
    }
    pthread_join(producer, NULL);
    return 0;
}
