/*
 * Compares a password with the one on record, and locks out after some
 * failures.
 *
 * shows: strings, a comparison that is too weak; the failure needs a particular input
 * expect: assertion line 41
 * fault: line 20 "return strncmp(typed, record, strlen(typed)) == 0;": only as many characters are compared as were typed, so a prefix is enough
 * mend: line 20: return strcmp(typed, record) == 0;
 * pattern: none; story: lines 20, 41 */
#include <assert.h>
#include <string.h>
#include "verifier.h"

#define TRIES 2

static const char *const record = "ab";

static int matches(const char *typed)
{
    return strncmp(typed, record, strlen(typed)) == 0;
}

static void type(char *to)
{
    int length = __VERIFIER_nondet_int();
    __VERIFIER_assume(length >= 1 && length <= 2);
    for (int i = 0; i < length; i++) {
        int letter = __VERIFIER_nondet_int();
        __VERIFIER_assume(letter >= 'a' && letter <= 'c');
        to[i] = (char)letter;
    }
    to[length] = '\0';
}

int main(void)
{
    char typed[4];
    for (int failures = 0; failures < TRIES; failures++) {
        type(typed);
        if (matches(typed)) {
            assert(strlen(typed) == 2 && typed[0] == 'a' && typed[1] == 'b');
            return 0;
        }
    }
    return 1;
}
