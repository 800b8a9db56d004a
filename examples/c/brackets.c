/*
 * Whether brackets of three kinds are balanced.
 *
 * shows: a stack of characters, switch with fall-through
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

#define LENGTH 4

static int balanced(const char *text)
{
    char open[LENGTH];
    int depth = 0;
    for (; *text; text++) {
        char wanted = 0;
        switch (*text) {
        case '(':
        case '[':
            open[depth++] = *text;
            break;
        case ')':
            wanted = '(';
            break;
        case ']':
            wanted = '[';
            break;
        }
        if (wanted && (depth == 0 || open[--depth] != wanted))
            return 0;
    }
    return depth == 0;
}

int main(void)
{
    char text[LENGTH + 1];
    int sums[2] = { 0, 0 };
    for (int i = 0; i < LENGTH; i++) {
        int which = __VERIFIER_nondet_int();
        __VERIFIER_assume(which >= 0 && which < 4);
        text[i] = "()[]"[which];
        sums[which / 2] += which % 2 ? -1 : 1;
    }
    text[LENGTH] = '\0';
    if (balanced(text))
        assert(sums[0] == 0 && sums[1] == 0);
    return 0;
}
