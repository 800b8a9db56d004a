#ifndef __WHEREFORE_SIGNAL_H
#define __WHEREFORE_SIGNAL_H

#include <sys/types.h>

typedef int sig_atomic_t;
typedef void (*__WHEREFORE_handler)(int);
#ifndef __sigset_t_defined
#define __sigset_t_defined 1
typedef unsigned long sigset_t;
#endif

struct sigaction {
    __WHEREFORE_handler sa_handler;
    sigset_t sa_mask;
    int sa_flags;
};

#define SIG_DFL ((__WHEREFORE_handler)0)
#define SIG_IGN ((__WHEREFORE_handler)1)
#define SIG_ERR ((__WHEREFORE_handler)-1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGILL 4
#define SIGABRT 6
#define SIGFPE 8
#define SIGKILL 9
#define SIGUSR1 10
#define SIGSEGV 11
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17

__WHEREFORE_handler signal(int number, __WHEREFORE_handler handler);
int raise(int number);
int kill(pid_t process, int number);
int sigaction(int number, const struct sigaction *new_action, struct sigaction *old_action);
int sigemptyset(sigset_t *set);
int sigfillset(sigset_t *set);
int sigaddset(sigset_t *set, int number);
int sigdelset(sigset_t *set, int number);
int sigprocmask(int how, const sigset_t *set, sigset_t *old_set);

#endif
