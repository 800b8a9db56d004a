#include "verifier.h" /* Four numbers put in order, after Pu (2013), Figure 3, line by line. */
int main(void) {
    int a = __VERIFIER_nondet_int(); __VERIFIER_assume(a >= 0 && a <= 4);
    int b = __VERIFIER_nondet_int(); __VERIFIER_assume(b >= 0 && b <= 4);
    int c = __VERIFIER_nondet_int(); __VERIFIER_assume(c >= 0 && c <= 4);
    int d = __VERIFIER_nondet_int(); __VERIFIER_assume(d >= 0 && d <= 4);
    int temp = 0;
    if (a > b) {
        temp = b;
        b = a;
        a = temp;
    }
    if (b > c) {
        temp = c;
        c = b;
        b = temp;
    }
    if (c > d) {
        temp = d;
        d = c;
        c = temp;
    }
    if (b > c) {
        temp = c;
        c = b;
        b = temp;
    }
    if (a > b) {
        temp = b;
        b = a;
        a = temp;
    } /* the fault: b and c would have to be compared once more */
    assert(a <= b && b <= c && c <= d);
    return 0;
}
