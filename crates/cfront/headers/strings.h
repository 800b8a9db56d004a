#ifndef __WHEREFORE_STRINGS_H
#define __WHEREFORE_STRINGS_H

#include <stddef.h>

int strcasecmp(const char *left, const char *right);
int strncasecmp(const char *left, const char *right, size_t size);
void bzero(void *to, size_t size);
void bcopy(const void *from, void *to, size_t size);
char *index(const char *in, int character);
char *rindex(const char *in, int character);

#endif
