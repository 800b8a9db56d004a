#ifndef __WHEREFORE_STDIO_H
#define __WHEREFORE_STDIO_H

#include <stdarg.h>
#include <stddef.h>

typedef __PTRDIFF_TYPE__ ssize_t;
typedef struct __WHEREFORE_file FILE;
typedef long fpos_t;

extern FILE *stdin;
extern FILE *stdout;
extern FILE *stderr;

#define stdin stdin
#define stdout stdout
#define stderr stderr
#define EOF (-1)
#define BUFSIZ 8192
#define FILENAME_MAX 4096
#define FOPEN_MAX 16
#define SEEK_SET 0
#define SEEK_CUR 1
#define SEEK_END 2
#define _IOFBF 0
#define _IOLBF 1
#define _IONBF 2

int printf(const char *format, ...);
int fprintf(FILE *file, const char *format, ...);
int sprintf(char *to, const char *format, ...);
int snprintf(char *to, size_t size, const char *format, ...);
int vprintf(const char *format, va_list arguments);
int vfprintf(FILE *file, const char *format, va_list arguments);
int vsprintf(char *to, const char *format, va_list arguments);
int vsnprintf(char *to, size_t size, const char *format, va_list arguments);
int scanf(const char *format, ...);
int fscanf(FILE *file, const char *format, ...);
int sscanf(const char *text, const char *format, ...);
int putchar(int character);
int putc(int character, FILE *file);
int fputc(int character, FILE *file);
int puts(const char *text);
int fputs(const char *text, FILE *file);
int getchar(void);
int getc(FILE *file);
int fgetc(FILE *file);
int ungetc(int character, FILE *file);
char *gets(char *to);
char *fgets(char *to, int size, FILE *file);
FILE *fopen(const char *path, const char *mode);
FILE *freopen(const char *path, const char *mode, FILE *file);
FILE *fdopen(int descriptor, const char *mode);
FILE *popen(const char *command, const char *mode);
int pclose(FILE *file);
int fclose(FILE *file);
int fflush(FILE *file);
int fileno(FILE *file);
size_t fread(void *to, size_t size, size_t count, FILE *file);
size_t fwrite(const void *from, size_t size, size_t count, FILE *file);
int fseek(FILE *file, long offset, int from);
long ftell(FILE *file);
void rewind(FILE *file);
int feof(FILE *file);
int ferror(FILE *file);
void clearerr(FILE *file);
void setbuf(FILE *file, char *buffer);
int setvbuf(FILE *file, char *buffer, int mode, size_t size);
int remove(const char *path);
int rename(const char *from, const char *to);
FILE *tmpfile(void);
void perror(const char *text);

#endif
