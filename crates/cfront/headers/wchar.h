#ifndef __WHEREFORE_WCHAR_H
#define __WHEREFORE_WCHAR_H

#include <stddef.h>

typedef unsigned int wint_t;

size_t wcslen(const wchar_t *text);
int wcscmp(const wchar_t *left, const wchar_t *right);
wchar_t *wcscpy(wchar_t *to, const wchar_t *from);

#endif
