/*
 * Bytes wait in a ring until somebody takes them.
 *
 * shows: an index that runs out of its array, in a function away from the fault
 * expect: fault line 25
 * fault: line 13 "#define NEXT_IN(i)  (((i) + 1) % (CAPACITY + 1))": the write position wraps one place too late
 * mend: line 13: #define NEXT_IN(i)  (((i) + 1) % CAPACITY)
 * pattern: off-by-one; story: lines 26, 25 */
#include <assert.h>
#include "verifier.h"

#define CAPACITY 3
#define NEXT_IN(i)  (((i) + 1) % (CAPACITY + 1))
#define NEXT_OUT(i) (((i) + 1) % CAPACITY)

struct ring {
    unsigned char bytes[CAPACITY];
    int in, out, used;
};

static int put(struct ring *r, unsigned char byte)
{
    if (r->used == CAPACITY)
        return 0;
    r->bytes[r->in] = byte;
    r->in = NEXT_IN(r->in);
    r->used++;
    return 1;
}

static int get(struct ring *r, unsigned char *byte)
{
    if (r->used == 0)
        return 0;
    *byte = r->bytes[r->out];
    r->out = NEXT_OUT(r->out);
    r->used--;
    return 1;
}

int main(void)
{
    struct ring ring = { { 0 }, 0, 0, 0 };
    unsigned char sent = 10, expected = 10, got;
    for (int round = 0; round < 6; round++) {
        if (__VERIFIER_nondet_bool()) {
            if (put(&ring, sent))
                sent++;
        } else if (get(&ring, &got)) {
            assert(got == expected);
            expected++;
        }
    }
    return 0;
}
