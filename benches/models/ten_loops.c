/*
 * Ten loops one behind the other, each of up to twenty rounds of which nobody knows the number beforehand.
 */
#include <assert.h>

extern unsigned __VERIFIER_nondet_uint(void);

static unsigned rounds(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    return n <= 20 ? n : 20;
}

int main(void)
{
    unsigned sum = 0, count = 0, bits = 0, n;
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        sum += i;
        count++;
    }
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        sum ^= i << 1;
        count++;
    }
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        bits |= 1u << i;
        count++;
    }
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        sum = sum * 3 + 1;
        count++;
    }
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        if (sum & 1) bits ^= i;
        count++;
    }
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        sum -= count;
        count++;
    }
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        bits = bits << 1 | bits >> 31;
        count++;
    }
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        if (bits > sum) sum += 7;
        count++;
    }
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        sum += bits & 15;
        count++;
    }
    n = rounds();
    for (unsigned i = 0; i < n; i++) {
        sum ^= bits;
        count++;
    }
    assert(count <= 200);
    return 0;
}
