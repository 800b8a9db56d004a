/*
 * A decision that keeps aircraft apart, from twelve inputs: where both will be when they are nearest, whether
 * that is too near, and whether to climb, descend, level off or only watch, and how strongly.
 */
#include <assert.h>
extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int condition);

enum advice { CLEAR, WATCH, LEVEL, CLIMB, DESCEND };
enum intent { UNKNOWN, GOES_UP, GOES_DOWN };

#define NEAR_HEIGHT   6     /* hundreds of feet */
#define WATCH_HEIGHT  12
#define NEAR_TIME     5     /* tens of seconds */
#define WATCH_TIME    9
#define NEVER         1000
#define ESCAPE        4     /* gained by a manoeuvre until both are nearest */

struct aircraft {
    int height;
    int rate;               /* gained in ten seconds */
};

struct view {
    struct aircraft own, other;
    int distance;           /* tenths of a mile */
    int closing;            /* lost in ten seconds */
    int ceiling;            /* how high it may fly */
    int ground;             /* how high the ground is */
    enum intent intent;     /* what the other one has said */
    int may_climb;          /* not with wheels or flaps down */
    int trusted;            /* whether the other one's height is sure */
    int muted;              /* near an airport nothing strong is said */
};

struct decision {
    enum advice advice;
    int strength;
};

static int apart(int one, int two)
{
    if (one > two)
        return one - two;
    return two - one;
}

/* How long it takes until both are nearest. */
static int meeting_time(const struct view *v)
{
    int time = 0;
    int left = v->distance;
    if (v->closing <= 0)
        return NEVER;
    while (left > 0 && time < WATCH_TIME) {
        left = left - v->closing;
        time = time + 1;
    }
    if (left > 0)
        return NEVER;
    return time;
}

static int height_after(const struct aircraft *a, int time)
{
    int height = a->height;
    int step;
    if (time == NEVER)
        return height;
    for (step = 0; step < time; step++)
        height = height + a->rate;
    return height;
}

static int is_threat(int time, int gap)
{
    return time <= NEAR_TIME && gap < NEAR_HEIGHT;
}

static int is_worth_watching(int time, int gap)
{
    return time <= WATCH_TIME && gap < WATCH_HEIGHT;
}

static int can_climb(const struct view *v, int height)
{
    if (!v->may_climb)
        return 0;
    return height + ESCAPE <= v->ceiling;
}

static int can_descend(const struct view *v, int height)
{
    return height - ESCAPE >= v->ground + 2;
}

/* Which way to go, if both ways are free. */
static enum advice better_way(int own, int other)
{
    int up = apart(own + ESCAPE, other);
    int down = apart(own - ESCAPE, other);
    if (up > down)
        return CLIMB;
    return DESCEND;
}

static enum advice way_out(const struct view *v, int own, int other)
{
    int up = can_climb(v, own);
    int down = can_descend(v, own);
    if (!up && !down)
        return LEVEL;
    if (!up)
        return DESCEND;
    if (!down)
        return CLIMB;
    if (v->intent == GOES_UP)
        return DESCEND;
    if (v->intent == GOES_DOWN)
        return CLIMB;
    return better_way(own, other);
}

static int strength_of(const struct view *v, int time, int gap)
{
    int strength = 1;
    if (time <= 2)
        strength = strength + 1;
    if (gap < 3)
        strength = strength + 1;
    if (v->muted)
        strength = 1;
    return strength;
}

static struct decision decide(const struct view *v)
{
    struct decision d = { CLEAR, 0 };
    int time = meeting_time(v);
    int own = height_after(&v->own, time);
    int other = height_after(&v->other, time);
    int gap = apart(own, other);
    if (!v->trusted)
        gap = gap / 2;
    if (is_threat(time, gap)) {
        d.advice = way_out(v, own, other);
        d.strength = strength_of(v, time, gap);
    } else if (is_worth_watching(time, gap)) {
        d.advice = WATCH;
    }
    return d;
}

static int between(int low, int high)
{
    int value = __VERIFIER_nondet_int();
    __VERIFIER_assume(value >= low && value <= high);
    return value;
}

int main(void)
{
    struct view v;
    struct decision d;
    int time, left, own, other, gap, up, down;
    v.own.height = between(10, 60);
    v.own.rate = between(-3, 3);
    v.other.height = between(10, 60);
    v.other.rate = between(-3, 3);
    v.distance = between(1, 40);
    v.closing = between(-5, 20);
    v.ceiling = between(50, 80);
    v.ground = between(0, 8);
    v.intent = (enum intent)between(UNKNOWN, GOES_DOWN);
    v.may_climb = between(0, 1);
    v.trusted = between(0, 1);
    v.muted = between(0, 1);
    d = decide(&v);

    /* What should come of it, from the inputs alone. */
    time = NEVER;
    if (v.closing > 0)
        for (left = WATCH_TIME; left >= 1; left--)
            if (v.closing * left >= v.distance)
                time = left;
    own = v.own.height + (time == NEVER ? 0 : time * v.own.rate);
    other = v.other.height + (time == NEVER ? 0 : time * v.other.rate);
    gap = own > other ? own - other : other - own;
    if (!v.trusted)
        gap /= 2;
    up = v.may_climb && own + ESCAPE <= v.ceiling;
    down = own - ESCAPE - v.ground >= 2;
    if (time > WATCH_TIME || gap >= WATCH_HEIGHT)
        assert(d.advice == CLEAR && d.strength == 0);
    else if (time > NEAR_TIME || gap >= NEAR_HEIGHT)
        assert(d.advice == WATCH && d.strength == 0);
    else {
        assert(d.advice == CLIMB || d.advice == DESCEND || (d.advice == LEVEL && !up && !down));
        assert(d.advice != CLIMB || up);
        assert(d.advice != DESCEND || down);
        if (up && down && v.intent != UNKNOWN)
            assert(d.advice == (v.intent == GOES_UP ? DESCEND : CLIMB));
        if (up && down && v.intent == UNKNOWN && own != other)
            assert(d.advice == (own > other ? CLIMB : DESCEND));
        assert(d.strength == (v.muted ? 1 : 1 + (time <= 2) + (gap < 3)));
    }
    return 0;
}
