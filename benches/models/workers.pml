#define TIMES 3
int x, y;
bool m;
byte done;
active [3] proctype work()
{
    int i, t;
    do
    :: i < TIMES ->
        atomic { !m -> m = true };
        t = x;
        x = t + 1;
        m = false;
        t = x;
        y = t;
        i++
    :: else -> break
    od;
    done++;
    if
    :: _pid == 0 -> done == 3; assert(x == 3 * TIMES)
    :: else
    fi
}
