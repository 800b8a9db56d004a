/*
 * The product of small matrices does not depend on where one begins.
 *
 * shows: structures handed over by value, two-dimensional arrays
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

#define N 2
typedef struct {
    int at[N][N];
} matrix;

static matrix product(matrix a, matrix b)
{
    matrix c = { { { 0 } } };
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c.at[i][j] += a.at[i][k] * b.at[k][j];
    return c;
}

int main(void)
{
    matrix m[3];
    for (int n = 0; n < 3; n++)
        for (int i = 0; i < N * N; i++)
            m[n].at[i / N][i % N] = n == 2 ? i : __VERIFIER_nondet_bool();
    matrix left = product(product(m[0], m[1]), m[2]);
    matrix right = product(m[0], product(m[1], m[2]));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(left.at[i][j] == right.at[i][j]);
    return 0;
}
