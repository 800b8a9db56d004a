/*
 * Turns a picture by a quarter.
 *
 * shows: a two-dimensional array with rows and columns confused
 * expect: fault line 20
 * fault: line 20 "return picture[column][row];": the row is taken for the column
 * mend: line 20: return picture[row][column];
 * pattern: wrong-variable; story: lines 20 */
#include <assert.h>
#include "verifier.h"

#define WIDTH  3
#define HEIGHT 2

static int picture[HEIGHT][WIDTH] = { { 1, 2, 3 }, { 4, 5, 6 } };
static int turned[WIDTH][HEIGHT];

static int source(int row, int column)
{
    return picture[column][row];
}

static void turn(int from)
{
    for (int column = from; column < WIDTH; column++)
        for (int row = 0; row < HEIGHT; row++)
            turned[column][HEIGHT - 1 - row] = source(row, column);
}

int main(void)
{
    int from = __VERIFIER_nondet_int();
    __VERIFIER_assume(from >= 0 && from <= WIDTH);
    turn(from);
    if (from < WIDTH)
        assert(turned[WIDTH - 1][0] == 6 && turned[WIDTH - 1][1] == 3);
    return 0;
}
