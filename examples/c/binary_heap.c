/*
 * A priority queue as a heap in an array.
 *
 * shows: loops up and down a tree in an array
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

#define ROOM 4

static int heap[ROOM + 1];
static int size;

static void exchange(int i, int j)
{
    int t = heap[i];
    heap[i] = heap[j];
    heap[j] = t;
}

static void push(int value)
{
    int i = ++size;
    for (heap[i] = value; i > 1 && heap[i / 2] > heap[i]; i /= 2)
        exchange(i, i / 2);
}

static int pop(void)
{
    int least = heap[1];
    heap[1] = heap[size--];
    for (int i = 1, child; 2 * i <= size; i = child) {
        child = 2 * i;
        if (child < size && heap[child + 1] < heap[child])
            child++;
        if (heap[i] <= heap[child])
            break;
        exchange(i, child);
    }
    return least;
}

int main(void)
{
    for (int i = 0; i < ROOM; i++) {
        int value = __VERIFIER_nondet_int();
        __VERIFIER_assume(value >= 0 && value <= 2);
        push(value);
    }
    int last = -1;
    while (size > 0) {
        int value = pop();
        assert(value >= last);
        last = value;
    }
    return 0;
}
