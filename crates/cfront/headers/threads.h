#ifndef __WHEREFORE_THREADS_H
#define __WHEREFORE_THREADS_H

#include <time.h>

#define thread_local _Thread_local
#define ONCE_FLAG_INIT {0}
#define TSS_DTOR_ITERATIONS 4

typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef unsigned int tss_t;
typedef void (*tss_dtor_t)(void *);
typedef struct __WHEREFORE_mtx {
    int __state;
    int __kind;
} mtx_t;
typedef struct __WHEREFORE_cnd {
    int __state;
} cnd_t;
typedef struct __WHEREFORE_once {
    int __done;
} once_flag;

enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };

int thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);
_Noreturn void thrd_exit(int result);
thrd_t thrd_current(void);
int thrd_equal(thrd_t left, thrd_t right);
int thrd_sleep(const struct timespec *wanted, struct timespec *left);
void thrd_yield(void);
int mtx_init(mtx_t *mutex, int kind);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_trylock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *until);
int mtx_unlock(mtx_t *mutex);
int cnd_init(cnd_t *condition);
void cnd_destroy(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *until);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
void call_once(once_flag *once, void (*function)(void));
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);

#endif
