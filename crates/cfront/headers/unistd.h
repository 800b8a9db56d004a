#ifndef __WHEREFORE_UNISTD_H
#define __WHEREFORE_UNISTD_H

#include <stddef.h>
#include <sys/types.h>

#define STDIN_FILENO 0
#define STDOUT_FILENO 1
#define STDERR_FILENO 2
#define R_OK 4
#define W_OK 2
#define X_OK 1
#define F_OK 0
#define _SC_NPROCESSORS_ONLN 84

unsigned int sleep(unsigned int seconds);
int usleep(useconds_t microseconds);
pid_t getpid(void);
pid_t getppid(void);
uid_t getuid(void);
gid_t getgid(void);
pid_t fork(void);
int execv(const char *path, char *const arguments[]);
int execvp(const char *path, char *const arguments[]);
int pipe(int descriptors[2]);
int dup(int descriptor);
int dup2(int descriptor, int as);
ssize_t read(int descriptor, void *to, size_t size);
ssize_t write(int descriptor, const void *from, size_t size);
int close(int descriptor);
off_t lseek(int descriptor, off_t offset, int from);
int access(const char *path, int mode);
int unlink(const char *path);
int rmdir(const char *path);
int chdir(const char *path);
char *getcwd(char *to, size_t size);
int isatty(int descriptor);
long sysconf(int name);
unsigned int alarm(unsigned int seconds);
int pause(void);
_Noreturn void _exit(int status);
int getopt(int count, char *const arguments[], const char *options);
extern char *optarg;
extern int optind;
extern int opterr;
extern int optopt;

#endif
