/*
 * A bounded buffer with three semaphores (E. W. Dijkstra, 1965): free slots,
 * filled slots, and one for the two indices.
 *
 * Items carry the number of their producer and a serial number; whoever takes
 * items from the buffer sees those of one producer in order.
 *
 * expect: none
 * enlarge: -DPRODUCERS=2 -DCONSUMERS=2
 */
#include "sem.h"

#ifndef SLOTS
#define SLOTS     2
#endif
#ifndef PRODUCERS
#define PRODUCERS 2
#endif
#ifndef CONSUMERS
#define CONSUMERS 1
#endif
#define SERIALS   4

typedef Item {
    byte who;
    unsigned serial : 2
};

typedef Buffer {
    Item slot[SLOTS];
    byte in, out
};

Buffer buffer;
semaphore filled = 0, vacant = SLOTS, mutex = 1;
byte next[PRODUCERS];               /* the serial number each must be seen with next */

active [PRODUCERS] proctype Producer()
{
    byte serial;

    do
    :: down(vacant);
       down(mutex);
       buffer.slot[buffer.in].who = _pid;
       buffer.slot[buffer.in].serial = serial;
       buffer.in = (buffer.in + 1) % SLOTS;
       up(mutex);
       up(filled);
       serial = (serial + 1) % SERIALS
    od
}

active [CONSUMERS] proctype Consumer()
{
    Item item;

    do
    :: down(filled);
       down(mutex);
       d_step {
           item.who = buffer.slot[buffer.out].who;
           item.serial = buffer.slot[buffer.out].serial
       }
       buffer.out = (buffer.out + 1) % SLOTS;
       assert(item.serial == next[item.who]);
       next[item.who] = (next[item.who] + 1) % SERIALS;
       up(mutex);
       up(vacant)
    od
}
