#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
#define N 6
int v[N];
int main(void)
{
    int i, j, t;
    for (i = 0; i < N; i++) {
        int x = __VERIFIER_nondet_int();
        __VERIFIER_assume(x >= 0 && x <= 3);
        v[i] = x;
    }
    for (i = 0; i < N; i++)
        for (j = 0; j < N - 1; j++)
            if (v[j] > v[j + 1]) {
                t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t;
            }
    for (i = 0; i < N - 1; i++)
        assert(v[i] <= v[i + 1]);
    return 0;
}
