/*
 * A snooping cache for one memory line: each processor's copy is Modified,
 * Shared or Invalid. Who wants to write takes the bus, invalidates the other
 * copies and becomes the owner; who wants to read asks the owner to write its
 * copy back first. A write adds one to the line.
 *
 * expect: assertion
 * fault: line 87 "take_bus; upgrade(me)": while this processor waited for the bus another one may have invalidated its copy, and it goes on to own stale data; mended by looking again once it has the bus.
 * enlarge: -DCPUS=3
 * pattern: check-then-act; story: lines 86, 87, 78 */
#ifndef CPUS
#define CPUS 2
#endif
#define VALUES 4                        /* values are counted modulo this */

mtype = { Invalid, Shared, Modified };

typedef Line {
    mtype state = Invalid;
    unsigned data : 2
};

Line cache[CPUS];
unsigned memory : 2;
unsigned newest : 2;                    /* what a read has to return */

chan bus = [1] of { bit };              /* a token: who has taken it has the bus */
#define take_bus    bus?1
#define free_bus    bus!1

/* the snoopers react within the bus cycle */
inline snoop(me, then_state)
{
    for (c : 0 .. CPUS - 1) {
        if
        :: c != me && cache[c].state == Modified ->
            memory = cache[c].data;
            cache[c].state = then_state
        :: c != me && cache[c].state == Shared && then_state == Invalid ->
            cache[c].state = Invalid
        :: else
        fi
    }
    c = 0
}

inline fetch(me, then_state, my_state)
{
    d_step {
        snoop(me, then_state);
        cache[me].data = memory;
        cache[me].state = my_state
    }
}

inline upgrade(me)
{
    d_step {
        snoop(me, Invalid);
        cache[me].state = Modified
    }
}

proctype Cpu(byte me)
{
    byte c;

end_pausing:
    do
    :: /* read */
        if
        :: cache[me].state == Invalid ->
            take_bus;
            fetch(me, Shared, Shared);
            free_bus
        :: else
        fi;
        d_step {
            if
            :: cache[me].state != Invalid -> assert(cache[me].data == newest)
            :: else                     /* lost it again: the read is repeated */
            fi
        }
    :: /* write */
        if
        :: cache[me].state == Shared ->
            take_bus; upgrade(me)
        :: cache[me].state == Invalid ->
            take_bus;
            fetch(me, Invalid, Modified)
        :: atomic { cache[me].state == Modified -> take_bus }
        fi;
        d_step {
            if
            :: cache[me].state == Modified ->
                cache[me].data = (cache[me].data + 1) % VALUES;
                newest = (newest + 1) % VALUES
            :: else
            fi
        }
        free_bus
    od
}

init {
    byte i;
    atomic {
        free_bus;
        for (i : 0 .. CPUS - 1) {
            run Cpu(i)
        }
    }
}
