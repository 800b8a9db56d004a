#ifndef __WHEREFORE_SYS_WAIT_H
#define __WHEREFORE_SYS_WAIT_H

#include <sys/types.h>

#define WNOHANG 1
#define WEXITSTATUS(status) (((status)&0xff00) >> 8)
#define WIFEXITED(status) (((status)&0x7f) == 0)

pid_t wait(int *status);
pid_t waitpid(pid_t process, int *status, int options);

#endif
