#ifndef __WHEREFORE_SEMAPHORE_H
#define __WHEREFORE_SEMAPHORE_H

#include <sys/types.h>
#include <time.h>

typedef struct __WHEREFORE_semaphore {
    unsigned int __value;
} sem_t;

int sem_init(sem_t *semaphore, int shared, unsigned int value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *until);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);

#endif
