#ifndef __WHEREFORE_STRING_H
#define __WHEREFORE_STRING_H

#include <stddef.h>

void *memcpy(void *to, const void *from, size_t size);
void *memmove(void *to, const void *from, size_t size);
void *memset(void *to, int value, size_t size);
int memcmp(const void *left, const void *right, size_t size);
void *memchr(const void *in, int value, size_t size);
char *strcpy(char *to, const char *from);
char *strncpy(char *to, const char *from, size_t size);
char *strcat(char *to, const char *from);
char *strncat(char *to, const char *from, size_t size);
int strcmp(const char *left, const char *right);
int strncmp(const char *left, const char *right, size_t size);
int strcoll(const char *left, const char *right);
size_t strlen(const char *text);
size_t strnlen(const char *text, size_t most);
char *strchr(const char *in, int character);
char *strrchr(const char *in, int character);
char *strstr(const char *in, const char *text);
char *strpbrk(const char *in, const char *any);
size_t strspn(const char *in, const char *any);
size_t strcspn(const char *in, const char *any);
char *strtok(char *text, const char *separators);
char *strtok_r(char *text, const char *separators, char **state);
char *strdup(const char *text);
char *strndup(const char *text, size_t most);
char *strerror(int error);

#endif
