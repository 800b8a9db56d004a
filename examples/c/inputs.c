/*
 * Makes a program with inputs one that runs: every input is the next number on standard input.
 *
 *     cc -g -fsanitize=address,undefined program.c inputs.c && ./a.out < numbers
 *
 * Status 77 says that an assumption was not met or that there were too few inputs.
 */
#include <stdio.h>
#include <stdlib.h>
#include "verifier.h"

static long long next(void)
{
    long long value;
    if (scanf("%lld", &value) != 1) {
        fprintf(stderr, "there are no more inputs\n");
        exit(77);
    }
    return value;
}

int __VERIFIER_nondet_int(void)
{
    return (int)next();
}

unsigned __VERIFIER_nondet_uint(void)
{
    return (unsigned)next();
}

_Bool __VERIFIER_nondet_bool(void)
{
    return next() != 0;
}

void __VERIFIER_assume(int condition)
{
    if (!condition) {
        fprintf(stderr, "an assumption is not met\n");
        exit(77);
    }
}

void __WHEREFORE_point(const char *name)
{
    (void)name;
}
