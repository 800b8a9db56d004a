/*
 * A queue made of two stacks.
 *
 * shows: structures that hold structures
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

#define ROOM 4

struct stack {
    int at[ROOM];
    int size;
};

struct queue {
    struct stack in, out;
};

static void push(struct stack *s, int value)
{
    assert(s->size < ROOM);
    s->at[s->size++] = value;
}

static int pop(struct stack *s)
{
    assert(s->size > 0);
    return s->at[--s->size];
}

static int length(const struct queue *q)
{
    return q->in.size + q->out.size;
}

static int dequeue(struct queue *q)
{
    if (q->out.size == 0)
        while (q->in.size > 0)
            push(&q->out, pop(&q->in));
    return pop(&q->out);
}

int main(void)
{
    struct queue q = { { { 0 }, 0 }, { { 0 }, 0 } };
    int put = 0, got = 0;
    for (int i = 0; i < 6; i++) {
        if (__VERIFIER_nondet_bool()) {
            if (length(&q) < ROOM)
                push(&q.in, put++);
        } else if (length(&q) > 0) {
            assert(dequeue(&q) == got);
            got++;
        }
        assert(length(&q) == put - got);
    }
    return 0;
}
