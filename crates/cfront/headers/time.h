#ifndef __WHEREFORE_TIME_H
#define __WHEREFORE_TIME_H

#include <stddef.h>
#include <sys/types.h>

/* The guards of the system's own headers, so that those can stand beside these. */
#ifndef _STRUCT_TIMESPEC
#define _STRUCT_TIMESPEC 1
struct timespec {
    time_t tv_sec;
    long tv_nsec;
};
#endif
#ifndef __struct_tm_defined
#define __struct_tm_defined 1
struct tm {
    int tm_sec;
    int tm_min;
    int tm_hour;
    int tm_mday;
    int tm_mon;
    int tm_year;
    int tm_wday;
    int tm_yday;
    int tm_isdst;
};
#endif

#define CLOCKS_PER_SEC 1000000L
#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1
#define TIME_UTC 1

time_t time(time_t *result);
clock_t clock(void);
double difftime(time_t later, time_t earlier);
time_t mktime(struct tm *time);
struct tm *localtime(const time_t *time);
struct tm *localtime_r(const time_t *time, struct tm *result);
struct tm *gmtime(const time_t *time);
char *ctime(const time_t *time);
char *asctime(const struct tm *time);
size_t strftime(char *to, size_t size, const char *format, const struct tm *time);
int nanosleep(const struct timespec *wanted, struct timespec *left);
int clock_gettime(clockid_t clock, struct timespec *now);
int timespec_get(struct timespec *now, int base);

#endif
