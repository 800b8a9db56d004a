/*
 * Users put documents into a spool with two places, a printer takes them out.
 * Semaphores count, a mutex protects.
 *
 * shows: semaphores that are taken in the wrong order
 * expect: deadlock
 * fault: line 44 "pthread_mutex_lock(&mutex);": the user waits for a free place while holding the mutex that the printer needs to make one
 * mend: line 44: sem_wait(&places);
 * mend: line 45: pthread_mutex_lock(&mutex);
 * pattern: lock-order; story: lines 44 */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

#define PLACES    1
#define DOCUMENTS 2

static sem_t places, documents;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int spool[PLACES];
static int used;

static void *print(void *unused)
{
    (void)unused;
    for (int n = 1; n <= DOCUMENTS; n++) {
        sem_wait(&documents);
        pthread_mutex_lock(&mutex);
        assert(used == 1 && spool[0] == n);
        used--;
        pthread_mutex_unlock(&mutex);
        sem_post(&places);
    }
    return NULL;
}

int main(void)
{
    pthread_t printer;
    sem_init(&places, 0, PLACES);
    sem_init(&documents, 0, 0);
    pthread_create(&printer, NULL, print, NULL);
    for (int n = 1; n <= DOCUMENTS; n++) {
        pthread_mutex_lock(&mutex);
        sem_wait(&places);
        spool[used++] = n;
        pthread_mutex_unlock(&mutex);
        sem_post(&documents);
    }
    pthread_join(printer, NULL);
    return 0;
}
