#ifndef __WHEREFORE_SYS_TYPES_H
#define __WHEREFORE_SYS_TYPES_H

#include <stddef.h>

typedef __PTRDIFF_TYPE__ ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned long nlink_t;
typedef long time_t;
typedef long clock_t;
typedef long suseconds_t;
typedef unsigned int useconds_t;
typedef int clockid_t;
typedef long blksize_t;
typedef long blkcnt_t;
/* Names the system's own headers use among themselves. */
typedef unsigned int __socklen_t;
typedef __PTRDIFF_TYPE__ __ssize_t;
typedef long __off_t;
typedef int __pid_t;
typedef unsigned int __uid_t;
typedef unsigned int __gid_t;
typedef unsigned int __mode_t;
typedef long __time_t;
typedef long __suseconds_t;
typedef unsigned char u_char;
typedef unsigned short u_short;
typedef unsigned int u_int;
typedef unsigned long u_long;

#include <sys/select.h>

#endif
