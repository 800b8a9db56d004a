#ifndef __WHEREFORE_SETJMP_H
#define __WHEREFORE_SETJMP_H

typedef long jmp_buf[8];
typedef long sigjmp_buf[26];

int setjmp(jmp_buf buffer);
int _setjmp(jmp_buf buffer);
int sigsetjmp(sigjmp_buf buffer, int save);
_Noreturn void longjmp(jmp_buf buffer, int value);
_Noreturn void _longjmp(jmp_buf buffer, int value);
_Noreturn void siglongjmp(sigjmp_buf buffer, int value);

#endif
