/*
 * Counts words, as `wc -w` does.
 *
 * shows: a state machine over characters
 * expect: holds
 */
#include <assert.h>
#include <ctype.h>
#include <string.h>
#include "verifier.h"

static int words(const char *text)
{
    int count = 0, inside = 0;
    for (; *text != '\0'; text++) {
        if (isspace((unsigned char)*text)) {
            inside = 0;
        } else if (!inside) {
            inside = 1;
            count++;
        }
    }
    return count;
}

int main(void)
{
    char text[6];
    memset(text, 0, sizeof text);
    for (int i = 0; i < 5; i++)
        text[i] = __VERIFIER_nondet_bool() ? 'x' : ' ';
    int starts = text[0] == 'x';
    for (int i = 1; i < 5; i++)
        starts += text[i] == 'x' && text[i - 1] == ' ';
    assert(words(text) == starts);
    return 0;
}
