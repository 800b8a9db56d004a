#include <stddef.h>
#include <stdint.h>
typedef unsigned char byte;
enum colour { RED, GREEN = 5, BLUE };
union number { int whole; float real; byte bytes[4]; };
struct bits { unsigned low : 3; signed high : 5; _Bool flag : 1; };
struct point { short x, y; };
struct shape { enum colour colour; struct point corners[4]; union number size; struct bits bits; };
static const struct shape square = { GREEN, { {0, 0}, {1}, [2] = {1, 1}, [3].y = 1 }, { .real = 1.5f }, { 7, -1, 1 } };
static const char *const names[] = { "red", [GREEN] = "green", "blue" };
static int (*operations[2])(int, int);
static int grid[3][4] = { [1] = { 1, 2, 3, 4 } };
static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static long factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
static struct point moved(struct point p, int by) { p.x += by; p.y -= by; return p; }
static int classify(int c)
{
    switch (c) {
    case 'a': case 'e': case 'i': case 'o': case 'u':
        return 1;
    case '0' ... '9':
        c -= '0';
        /* falls through */
    default:
        if (c > 5) break;
        return 2;
    }
    return 0;
}
int main(int argc, char **argv)
{
    volatile int seen = 0;
    uint8_t small = 250;
    int64_t big = INT64_MAX;
    double ratio = argc / 2.0;
    int *cell = &grid[1][0], (*row)[4] = grid + 1, offset = offsetof(struct shape, size);
    operations[0] = add, operations[1] = &subtract;
    small += 10; big >>= 3; ratio *= small; seen ^= ~small; cell[2]++; --(*row)[3];
    do {
        int local = operations[seen & 1](seen, offset), *p = &local;
        if (*p > 100 && !(seen = local, local % 2) || p == NULL)
            continue;
        seen++;
    } while (seen < 10);
    for (size_t i = 0; i < sizeof grid / sizeof *grid; i++)
        for (int j = 3; j >= 0; j--)
            if (grid[i][j] == 3)
                goto found;
    return 1;
found:;
    struct point p = moved((struct point){1, 2}, 3), *q = &p;
    q->x = classify(argv[0][0]) ? p.y : square.corners[3].y;
    int choice = ({ int t = q->x; t > 0 ? t : -t; });
    return (int)(factorial(choice) + ratio) + names[GREEN][0] + (cell - *row) + moved(p, 1).x;
}
