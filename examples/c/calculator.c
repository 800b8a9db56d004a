/*
 * Evaluates sums and products by recursive descent.
 *
 * shows: a grammar that is followed in the wrong order; strings, recursion
 * expect: assertion line 64
 * fault: line 49 "value -= expression();": the rest of a difference is read as one expression, so differences associate to the right
 * mend: line 49: value -= term();
 * pattern: none; story: lines 49, 64 */
#include <assert.h>
#include <ctype.h>
#include "verifier.h"

static const char *at;

static int expression(void);

static int factor(void)
{
    if (*at == '(') {
        at++;
        int value = expression();
        at++;
        return value;
    }
    int value = 0;
    while (isdigit((unsigned char)*at))
        value = 10 * value + (*at++ - '0');
    return value;
}

static int term(void)
{
    int value = factor();
    while (*at == '*') {
        at++;
        value *= factor();
    }
    return value;
}

static int expression(void)
{
    int value = term();
    while (*at == '+' || *at == '-') {
        char sign = *at++;
        if (sign == '+')
            value += term();
        else
            value -= expression();
    }
    return value;
}

int main(void)
{
    static const struct { const char *text; int value; } cases[] = {
        { "7", 7 }, { "2+3*4", 14 }, { "(2+3)*4", 20 }, { "9-4", 5 }, { "9-4-3", 2 }, { "2*(8-5)", 6 },
    };
    int number = __VERIFIER_nondet_int();
    __VERIFIER_assume(number >= 0 && number < 6);
    at = cases[number].text;
    int value = expression();
    assert(*at == '\0');
    assert(value == cases[number].value);
    return 0;
}
