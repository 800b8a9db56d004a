/*
 * The best load, by trying everything and by a table.
 *
 * shows: recursion against dynamic programming
 * expect: holds
 */
#include <assert.h>
#include "verifier.h"

#define ITEMS 3
#define MOST  5

static const struct item {
    int weight, worth;
} items[ITEMS] = { { 2, 3 }, { 3, 4 }, { 4, 6 } };

static int best(int item, int room)
{
    if (item == ITEMS)
        return 0;
    int without = best(item + 1, room);
    if (items[item].weight > room)
        return without;
    int with = items[item].worth + best(item + 1, room - items[item].weight);
    return with > without ? with : without;
}

int main(void)
{
    int table[MOST + 1] = { 0 };
    int room = __VERIFIER_nondet_int();
    __VERIFIER_assume(room >= 0 && room <= MOST);
    for (int i = 0; i < ITEMS; i++)
        for (int r = room; r >= items[i].weight; r--) {
            int worth = table[r - items[i].weight] + items[i].worth;
            if (worth > table[r])
                table[r] = worth;
        }
    assert(table[room] == best(0, room));
    return 0;
}
