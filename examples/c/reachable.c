/*
 * Which towns can be reached, by depth-first search and by closing the
 * relation.
 *
 * shows: recursion over a graph given by inputs
 * expect: holds
 */
#include <assert.h>
#include <stdbool.h>
#include "verifier.h"

#define TOWNS 3

static bool road[TOWNS][TOWNS];
static bool seen[TOWNS];

static void visit(int town)
{
    seen[town] = true;
    for (int next = 0; next < TOWNS; next++)
        if (road[town][next] && !seen[next])
            visit(next);
}

int main(void)
{
    bool closed[TOWNS][TOWNS];
    for (int i = 0; i < TOWNS; i++)
        for (int j = 0; j < TOWNS; j++) {
            road[i][j] = i == j ? false : __VERIFIER_nondet_bool();
            closed[i][j] = i == j || road[i][j];
        }
    for (int k = 0; k < TOWNS; k++)
        for (int i = 0; i < TOWNS; i++)
            for (int j = 0; j < TOWNS; j++)
                closed[i][j] |= closed[i][k] && closed[k][j];
    visit(0);
    for (int j = 0; j < TOWNS; j++)
        assert(seen[j] == closed[0][j]);
    return 0;
}
