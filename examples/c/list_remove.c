/*
 * A list of jobs from which jobs are removed by number.
 *
 * shows: use of memory after it was freed, two statements in the wrong order
 * expect: fault line 37
 * fault: line 36 "free(job);": the node is freed before its successor is read
 * mend: line 36: *link = job->next;
 * mend: line 37: free(job);
 * pattern: null-or-dangling; story: lines 36, 37 */
#include <assert.h>
#include <stdlib.h>
#include "verifier.h"

struct job {
    int number;
    struct job *next;
};

static struct job *jobs;

static void add(int number)
{
    struct job *job = malloc(sizeof *job);
    if (job == NULL)
        exit(1);
    job->number = number;
    job->next = jobs;
    jobs = job;
}

static int remove_job(int number)
{
    for (struct job **link = &jobs; *link != NULL; link = &(*link)->next) {
        struct job *job = *link;
        if (job->number == number) {
            free(job);
            *link = job->next;
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    for (int i = 1; i <= 3; i++)
        add(i);
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 0 && number <= 4);
    int removed = remove_job(number);
    int left = 0;
    while (jobs != NULL) {
        struct job *next = jobs->next;
        assert(jobs->number != number);
        free(jobs);
        jobs = next;
        left++;
    }
    assert(left == 3 - removed);
    return 0;
}
