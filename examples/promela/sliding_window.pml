/*
 * A sliding window protocol that goes back n (after A. S. Tanenbaum's
 * Computer Networks): the sender may have several frames under way; the
 * receiver takes frames in order only and acknowledges the last one taken.
 *
 * With sequence numbers 0 .. MAXSEQ no more than MAXSEQ frames may be under
 * way. If all MAXSEQ + 1 are, and all acknowledgements get lost, the receiver
 * takes the repeated first frame for the first of the next round.
 *
 * expect: assertion
 * fault: line 45 "under_way <= MAXSEQ ->": lets MAXSEQ + 1 frames be under way, one more than the numbers can tell apart; mended by < for <=.
 * enlarge: -DMAXSEQ=3
 * pattern: off-by-one; story: lines 45, 84 */
#include "net.h"

#ifndef MAXSEQ
#define MAXSEQ 2
#endif
#define NUMBERS (MAXSEQ + 1)
#define ITEMS   (2 * NUMBERS)       /* contents, counted modulo this */

mtype = { data, ack };

typedef Frame {
    byte number;
    byte content
};

chan line = [2] of { mtype, Frame };
chan back = [2] of { mtype, byte };

/* is b in the window [a, c) on the circle of numbers? */
#define BETWEEN(a, b, c) \
    (((a) <= (b) && (b) < (c)) || ((c) < (a) && (a) <= (b)) || ((b) < (c) && (c) < (a)))

active proctype Sender()
{
    byte oldest;                    /* number of the oldest frame not acknowledged */
    byte under_way;                 /* how many are not acknowledged */
    byte first;                     /* content of the oldest */
    byte k, n;
    Frame f;

    do
    :: under_way <= MAXSEQ ->                   /* the next new frame */
        d_step {
            f.number = (oldest + under_way) % NUMBERS;
            f.content = (first + under_way) % ITEMS;
            under_way++
        }
        lossy_send(line, data, f)
    :: back?ack(n) ->
        do
        :: under_way > 0 && BETWEEN(oldest, n, (oldest + under_way) % NUMBERS) ->
            d_step {
                oldest = INC(oldest, NUMBERS);
                first = INC(first, ITEMS);
                under_way--
            }
        :: else -> break
        od;
        n = 0
    :: timeout ->                               /* go back: all of them again */
        for (k : 0 .. under_way - 1) {
            d_step {
                f.number = (oldest + k) % NUMBERS;
                f.content = (first + k) % ITEMS
            }
            lossy_send(line, data, f)
        }
        k = 0
    od
}

active proctype Receiver()
{
    byte expected, content;
    Frame f;

    do
    :: line?data(f) ->
        if
        :: f.number == expected ->
            assert(f.content == content);
            expected = INC(expected, NUMBERS);
            content = INC(content, ITEMS)
        :: else
        fi;
        lossy_send(back, ack, (expected + MAXSEQ) % NUMBERS)
    od
}
