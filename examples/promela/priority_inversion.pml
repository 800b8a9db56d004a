/*
 * Priority inversion, as on the Mars Pathfinder in 1997.
 *
 * Three tasks with fixed priorities share a processor: METEO (low) and BUS
 * (high) use the information bus under a mutex, RADIO (middle) computes for a
 * long time and needs no lock. A watchdog resets the craft when BUS has been
 * due for more than LIMIT units of time.
 *
 * If METEO holds the mutex when BUS wants it, RADIO keeps METEO from going on,
 * and so keeps BUS waiting although BUS has the higher priority.
 *
 * expect: assertion
 * fault: line 28 "#define INHERITANCE false": the mutex was made without priority inheritance, so its holder does not run with the priority of the task it blocks; first seen in line 102 "compute()"; mended by true.
 * enlarge: -DLIMIT=8 -DLONG=9
 * pattern: none */
#define METEO   0
#define RADIO   1
#define BUS     2
#define NOBODY  3

#ifndef LIMIT
#define LIMIT   4           /* watchdog */
#endif
#ifndef LONG
#define LONG    5           /* how long RADIO computes */
#endif

#define INHERITANCE false   /* an option of the mutex */

mtype = { asleep, ready, blocked };

mtype state[3] = asleep;
byte holder = NOBODY;       /* of the mutex */
byte due;                   /* for how long BUS has been due */

/* METEO runs with the priority of BUS */
#define BOOSTED (INHERITANCE && holder == METEO && state[BUS] == blocked)

#define BUS_MAY_RUN   (state[BUS] == ready)
#define RADIO_MAY_RUN (state[RADIO] == ready && state[BUS] != ready && !BOOSTED)
#define METEO_MAY_RUN (state[METEO] == ready && state[BUS] != ready && (state[RADIO] != ready || BOOSTED))

/* a unit of time goes by, with the watchdog looking */
inline compute()
{
    d_step {
        due = (state[BUS] != asleep -> due + 1 : 0);
        assert(due <= LIMIT)
    }
}

inline lock(task)
{
    do
    :: atomic { holder == NOBODY -> holder = task; break }
    :: atomic { holder != NOBODY -> state[task] = blocked }
    od
}

inline unlock()
{
    d_step {
        holder = NOBODY;
        if
        :: state[BUS] == blocked -> state[BUS] = ready
        :: else
        fi;
        if
        :: state[METEO] == blocked -> state[METEO] = ready
        :: else
        fi
    }
}

active proctype Clock()
{
end:
    do
    :: state[METEO] == asleep -> state[METEO] = ready
    :: state[RADIO] == asleep -> state[RADIO] = ready
    :: state[BUS] == asleep   -> state[BUS] = ready
    od
}

active proctype Meteo() provided (METEO_MAY_RUN)
{
    do
    :: compute();
       lock(METEO);
       compute();           /* publish */
       unlock();
       state[METEO] = asleep
    od
}

active proctype Radio() provided (RADIO_MAY_RUN)
{
    byte n;

    do
    :: for (n : 1 .. LONG) {
           compute()
       }
       state[RADIO] = asleep
    od
}

active proctype Bus() provided (BUS_MAY_RUN)
{
    do
    :: lock(BUS);
       compute();           /* distribute */
       unlock();
       d_step { state[BUS] = asleep; due = 0 }
    od
}
