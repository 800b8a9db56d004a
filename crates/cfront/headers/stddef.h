#ifndef __WHEREFORE_STDDEF_H
#define __WHEREFORE_STDDEF_H

typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct {
    long long __long_long __attribute__((__aligned__(__alignof__(long long))));
    long double __long_double __attribute__((__aligned__(__alignof__(long double))));
} max_align_t;

#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)

#endif
