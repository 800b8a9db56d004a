/*
 * Processes wait in one queue for each priority. One process runs; it may
 * block, be woken, or have its priority raised.
 *
 * shows: a scheduler with priority queues, a fault that shows only after several operations
 * expect: assertion line 90
 * fault: line 68 "enqueue(old, process);": the process is put into the queue of its old priority
 * mend: line 68: enqueue(priority[process], process);
 * pattern: wrong-variable; story: lines 67, 68, 90 */
#include <assert.h>
#include "verifier.h"

#define LEVELS    2
#define PROCESSES 3
#define NOBODY    (-1)

struct queue {
    int member[PROCESSES];
    int count;
};

static struct queue ready[LEVELS];
static int priority[PROCESSES];
static int running = NOBODY;

static void enqueue(int level, int process)
{
    struct queue *q = &ready[level];
    q->member[q->count++] = process;
}

static void take_out(int level, int index)
{
    struct queue *q = &ready[level];
    q->count--;
    for (int i = index; i < q->count; i++)
        q->member[i] = q->member[i + 1];
}

static void schedule(void)
{
    running = NOBODY;
    for (int level = LEVELS - 1; level >= 0; level--) {
        if (ready[level].count > 0) {
            running = ready[level].member[0];
            take_out(level, 0);
            return;
        }
    }
}

static void yield(void)
{
    if (running != NOBODY)
        enqueue(priority[running], running);
    schedule();
}

static void raise_priority(int process)
{
    int old = priority[process];
    if (process == running || old == LEVELS - 1)
        return;
    for (int i = 0; i < ready[old].count; i++) {
        if (ready[old].member[i] == process) {
            take_out(old, i);
            priority[process] = old + 1;
            enqueue(old, process);
            return;
        }
    }
}

int main(void)
{
    for (int p = 0; p < PROCESSES; p++)
        enqueue(0, p);
    schedule();
    for (int step = 0; step < 3; step++) {
        int process = __VERIFIER_nondet_int();
        __VERIFIER_assume(process >= 0 && process <= PROCESSES);
        if (process == PROCESSES)
            yield();
        else
            raise_priority(process);
        for (int p = 0; p < PROCESSES; p++) {
            int found = p == running;
            for (int i = 0; i < ready[priority[p]].count; i++)
                found += ready[priority[p]].member[i] == p;
            assert(found == 1);
        }
    }
    return 0;
}
