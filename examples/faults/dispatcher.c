/*
 * A dispatcher of jobs: queues by urgency, and jobs that run, block, are woken, become more urgent and finish.
 * How many of a queue are moved up at once is a ratio, which is computed in floating point.
 */
#include <assert.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int condition);

#define LEVELS  3
#define JOBS    4
#define NOBODY  (-1)

enum state { UNUSED, READY, RUNNING, BLOCKED, DONE };

struct job {
    enum state state;
    int level;
};

struct line {
    int member[JOBS];
    int count;
};

static struct job jobs[JOBS];
static struct line ready[LEVELS];
static struct line blocked;
static int running = NOBODY;
static int finished;

static void append(struct line *line, int job)
{
    line->member[line->count] = job;
    line->count = line->count + 1;
}

static int take_at(struct line *line, int index)
{
    int job = line->member[index];
    int at;
    line->count = line->count - 1;
    for (at = index; at < line->count; at++)
        line->member[at] = line->member[at + 1];
    return job;
}

/* Which one of a line is meant by a ratio between 0 and 1. */
static int index_of(const struct line *line, float ratio)
{
    int index = (int)(ratio * (float)line->count);
    if (index >= line->count)
        index = line->count - 1;
    return index;
}

static int most_urgent(void)
{
    int level;
    for (level = LEVELS - 1; level >= 0; level--)
        if (ready[level].count > 0)
            return level;
    return NOBODY;
}

static void run_next(void)
{
    int level = most_urgent();
    if (level == NOBODY) {
        running = NOBODY;
        return;
    }
    running = take_at(&ready[level], 0);
    jobs[running].state = RUNNING;
}

static void make_ready(int job)
{
    jobs[job].state = READY;
    append(&ready[jobs[job].level], job);
}

static void add(int job, int level)
{
    jobs[job].level = level;
    make_ready(job);
    if (running == NOBODY)
        run_next();
}

static void block(void)
{
    if (running == NOBODY)
        return;
    jobs[running].state = BLOCKED;
    append(&blocked, running);
    run_next();
}

static void unblock(float ratio)
{
    int job;
    if (blocked.count == 0)
        return;
    job = take_at(&blocked, index_of(&blocked, ratio));
    make_ready(job);
    if (running == NOBODY)
        run_next();
}

static void upgrade(int level, float ratio)
{
    int job;
    if (level + 1 >= LEVELS || ready[level].count == 0)
        return;
    job = take_at(&ready[level], index_of(&ready[level], ratio));
    jobs[job].level = level + 1;
    make_ready(job);
}

static void yield(void)
{
    if (running == NOBODY)
        return;
    make_ready(running);
    run_next();
}

static void finish(void)
{
    if (running == NOBODY)
        return;
    jobs[running].state = DONE;
    finished = finished + 1;
    run_next();
}

static int is_in(const struct line *line, int job)
{
    int at, found = 0;
    for (at = 0; at < line->count; at++)
        found += line->member[at] == job;
    return found;
}

/* The highest level of a job that is ready, by what the jobs say. */
static int highest(void)
{
    int job, level = NOBODY;
    for (job = 0; job < JOBS; job++)
        if (jobs[job].state == READY && jobs[job].level > level)
            level = jobs[job].level;
    return level;
}

static void check(void)
{
    int job, level, done = 0;
    for (job = 0; job < JOBS; job++) {
        int waits = 0;
        for (level = 0; level < LEVELS; level++) {
            int here = is_in(&ready[level], job);
            assert(here == 0 || jobs[job].level == level);
            waits += here;
        }
        assert(waits == (jobs[job].state == READY));
        assert(is_in(&blocked, job) == (jobs[job].state == BLOCKED));
        assert((running == job) == (jobs[job].state == RUNNING));
        done += jobs[job].state == DONE;
    }
    assert(finished == done);
    assert(running != NOBODY || highest() == NOBODY);
}

static int between(int low, int high)
{
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(value >= low && value <= high);
    return value;
}

int main(void)
{
    static const float ratios[] = { 0.0f, 0.5f, 1.0f };
    int step, job, level;
    for (job = 0; job < JOBS - 1; job++)
        add(job, job);
    check();
    for (step = 0; step < 4; step++) {
        int before = finished;
        switch (between(0, 4)) {
        case 0:
            block();
            assert(finished == before);
            break;
        case 1:
            unblock(ratios[between(0, 2)]);
            assert(finished == before);
            break;
        case 2:
            level = between(0, LEVELS - 1);
            job = ready[level].count;
            upgrade(level, ratios[between(0, 2)]);
            assert(ready[level].count == (level + 1 < LEVELS && job > 0 ? job - 1 : job));
            break;
        case 3:
            yield();
            assert(running == NOBODY || highest() <= jobs[running].level);
            break;
        default:
            job = running;
            finish();
            assert(job == NOBODY || finished == before + 1);
            break;
        }
        check();
    }
    return 0;
}
