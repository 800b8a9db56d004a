/*
 * A small machine with a stack. Its instructions are functions in a table.
 *
 * shows: function pointers; a check that is missing in one of several alike functions
 * expect: fault line 38
 * fault: line 38 "int upper = stack[top - 1];": unlike the other instructions this one does not ask whether the stack holds two numbers
 * mend: line 38: if (top < 2) { halted = 1; return; } int upper = stack[top - 1];
 * pattern: missing-case; story: lines 38 */
#include <assert.h>
#include "verifier.h"

#define ROOM 4

static int stack[ROOM];
static int top;
static int halted;

static void push_one(void)
{
    if (top == ROOM)
        halted = 1;
    else
        stack[top++] = 1;
}

static void add(void)
{
    if (top < 2) {
        halted = 1;
        return;
    }
    top--;
    stack[top - 1] += stack[top];
}

static void swap(void)
{
    int upper = stack[top - 1];
    stack[top - 1] = stack[top - 2];
    stack[top - 2] = upper;
}

static void drop(void)
{
    if (top < 1)
        halted = 1;
    else
        top--;
}

static void (*const instructions[])(void) = { push_one, add, swap, drop };

int main(void)
{
    for (int i = 0; i < 4 && !halted; i++) {
        int code = __VERIFIER_nondet_int();
        __VERIFIER_assume(code >= 0 && code < 4);
        instructions[code]();
        assert(top >= 0 && top <= ROOM);
    }
    return 0;
}
