#ifndef __WHEREFORE_SYS_SELECT_H
#define __WHEREFORE_SYS_SELECT_H

#include <sys/types.h>

/* The guard of the system's own headers, so that those can stand beside these. */
#ifndef __timeval_defined
#define __timeval_defined 1
struct timeval {
    time_t tv_sec;
    suseconds_t tv_usec;
};
#endif

#define FD_SETSIZE 1024

typedef struct {
    long __bits[FD_SETSIZE / (8 * sizeof(long))];
} fd_set;

#define __WHEREFORE_FD_WORD(number, set) ((set)->__bits[(number) / (8 * (int)sizeof(long))])
#define __WHEREFORE_FD_BIT(number) (1L << (number) % (8 * (int)sizeof(long)))
#define FD_SET(number, set) ((void)(__WHEREFORE_FD_WORD(number, set) |= __WHEREFORE_FD_BIT(number)))
#define FD_CLR(number, set) ((void)(__WHEREFORE_FD_WORD(number, set) &= ~__WHEREFORE_FD_BIT(number)))
#define FD_ISSET(number, set) ((__WHEREFORE_FD_WORD(number, set) & __WHEREFORE_FD_BIT(number)) != 0)
#define FD_ZERO(set) ((void)__builtin_memset(set, 0, sizeof(fd_set)))

int select(int count, fd_set *readable, fd_set *writable, fd_set *failed, struct timeval *timeout);

#endif
