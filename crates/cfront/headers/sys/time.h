#ifndef __WHEREFORE_SYS_TIME_H
#define __WHEREFORE_SYS_TIME_H

#include <sys/types.h>

struct timezone {
    int tz_minuteswest;
    int tz_dsttime;
};

int gettimeofday(struct timeval *now, void *zone);

#endif
