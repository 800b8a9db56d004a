/*
 * Joins a folder and a file name to a path in a buffer of fixed size.
 *
 * shows: a string that is one character too long for its buffer
 * expect: fault line 22
 * fault: line 18 "if (length > MOST)": the test leaves no room for the zero at the end
 * mend: line 18: if (length >= MOST)
 * pattern: off-by-one; story: lines 18, 22 */
#include <assert.h>
#include <string.h>
#include "verifier.h"

#define MOST 8

static int join(char *to, const char *folder, const char *file)
{
    size_t length = strlen(folder) + 1 + strlen(file);
    if (length > MOST)
        return -1;
    strcpy(to, folder);
    strcat(to, "/");
    strcat(to, file);
    return (int)length;
}

int main(void)
{
    static const char *folders[] = { "", "a", "usr", "home" };
    static const char *files[] = { "x", "ls", "cat", "a.out" };
    char path[MOST];
    int folder = __VERIFIER_nondet_int();
    int file = __VERIFIER_nondet_int();
    __VERIFIER_assume(folder >= 0 && folder < 4);
    __VERIFIER_assume(file >= 0 && file < 4);
    int length = join(path, folders[folder], files[file]);
    if (length >= 0) {
        assert((int)strlen(path) == length);
        assert(strchr(path, '/') == path + strlen(folders[folder]));
    }
    return 0;
}
