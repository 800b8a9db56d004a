/*
 * Packs a text by counting repeated characters, and unpacks it again.
 *
 * shows: two functions that must undo each other, strings
 * expect: holds
 */
#include <assert.h>
#include <string.h>
#include "verifier.h"

#define LENGTH 4

static void pack(char *to, const char *from)
{
    while (*from) {
        int run = 1;
        while (from[run] == *from)
            run++;
        *to++ = (char)('0' + run);
        *to++ = *from;
        from += run;
    }
    *to = '\0';
}

static void unpack(char *to, const char *from)
{
    for (; *from; from += 2)
        for (int i = from[0] - '0'; i > 0; i--)
            *to++ = from[1];
    *to = '\0';
}

int main(void)
{
    char text[LENGTH + 1], packed[2 * LENGTH + 1], again[LENGTH + 1];
    for (int i = 0; i < LENGTH; i++)
        text[i] = __VERIFIER_nondet_bool() ? 'a' : 'b';
    text[LENGTH] = '\0';
    pack(packed, text);
    unpack(again, packed);
    assert(strcmp(text, again) == 0);
    return 0;
}
