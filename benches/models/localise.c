/* Three counters go round by inputs. On one way the alarm is not cleared before it is asked for. */
#include <assert.h>
extern _Bool __VERIFIER_nondet_bool(void);
#ifndef N
#define N 9
#endif
int a, b, c, alarm;

static void clear(void)
{
    alarm = 0;
}

int main(void)
{
    while (__VERIFIER_nondet_bool()) {
        if (__VERIFIER_nondet_bool())
            a = (a + 1) % N;
        else if (__VERIFIER_nondet_bool())
            b = (b + 1) % N;
        else
            c = (c + 1) % N;
    }
    alarm = 1;
    if (__VERIFIER_nondet_bool())
        clear();
    else
        a = 0;
    assert(!alarm);
    return 0;
}
