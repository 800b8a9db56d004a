#include <assert.h>
#include <pthread.h>
#define TIMES 3
int x, y;
pthread_mutex_t m;
void *work(void *u)
{
    for (int i = 0; i < TIMES; i++) {
        pthread_mutex_lock(&m);
        x++;
        pthread_mutex_unlock(&m);
        y = x;
    }
    return 0;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, 0, work, 0);
    pthread_create(&b, 0, work, 0);
    work(0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(x == 3 * TIMES);
    return 0;
}
