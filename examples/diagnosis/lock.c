#include "verifier.h" /* Taking and giving back a lock, after Pu (2013), Figure 2, line by line. */
static int LOCK = 0; static void lock(void); static void unlock(void);
int main(void) {
    int got_lock = 0;
    do {
        if (__VERIFIER_nondet_bool()) {
            lock();
            got_lock++;
        }
        if (got_lock != 0) {
            unlock();
        }
        got_lock--; /* the fault: it belongs behind unlock */
        __WHEREFORE_constraint(got_lock == 0);
    } while (__VERIFIER_nondet_bool());
    return 0;
}
static void lock(void) {
    assert(LOCK == 0);
    LOCK = 1;
}
static void unlock(void) {
    assert(LOCK == 1);
    LOCK = 0;
}
