#ifndef __WHEREFORE_SCHED_H
#define __WHEREFORE_SCHED_H

#include <sys/types.h>

struct sched_param {
    int sched_priority;
};

int sched_yield(void);

#endif
