/*
 * Rether: token-passing Ethernet with bandwidth reservation, in the spirit of
 * the model that S. Leue and M. Tabaei Befrouei explain in "Counterexample
 * Explanation by Anomaly Detection" (SPIN 2012), and with its fault.
 *
 * In every round Token visits the nodes that hold a real-time slot (rt is 1),
 * then gives the slots that are left to the nodes in turn (rt is 0). A node
 * may reserve a real-time slot during an ordinary visit and release it during
 * a real-time one. Bandwidth keeps the account. A node that gets a real-time
 * visit without having been granted a slot is in error and stops.
 *
 * expect: deadlock
 * fault: line 56 "in_RT[i] = 0;": the rendezvous ok before it hands control to the node although it stands inside an atomic sequence, so this statement is deferred while Token starts another round and pays a real-time visit to a node that has already released its slot; mended by sending ok last.
 * also: line 55 "ok!0;"
 * enlarge: -DN=3 -DSlots=4 -DRT_slots=2
 * pattern: use-before-ready; story: lines 55, 107 */
#ifndef N
#define N        2          /* nodes */
#endif
#ifndef Slots
#define Slots    3          /* slots in a round: the bandwidth */
#endif
#ifndef RT_slots
#define RT_slots 1          /* how many of them may be reserved */
#endif

bit  in_RT[N];              /* does the node hold a real-time slot? */
byte RT_count;              /* how many do */

chan reserve  = [0] of { byte };
chan release  = [0] of { byte };
chan grant    = [0] of { bit };
chan no_grant = [0] of { bit };
chan ok       = [0] of { bit };
chan done     = [0] of { bit };
chan visit[N] = [0] of { bit };

active proctype Bandwidth()
{
    byte i;

    do
    :: reserve?i ->
        if
        :: atomic { RT_count < RT_slots && in_RT[i] == 0 ->
               in_RT[i] = 1;
               RT_count = RT_count + 1;
               grant!0
           }
        :: else -> no_grant!0
        fi
    :: release?i ->
        atomic {
            in_RT[i] == 1 ->
            ok!0;
            in_RT[i] = 0;
            RT_count = RT_count - 1
        }
    od
}

active proctype Token()
{
    byte i;                 /* the node looked at */
    byte left;              /* slots left in this round */
    byte next;              /* whose turn it is for an ordinary slot */

    do
    :: /* RT phase */
        i = 0;
        left = Slots;
        do
        :: d_step { i < N && in_RT[i] == 0 -> i = i + 1 }
        :: atomic { i < N && in_RT[i] == 1 -> visit[i]!1 };
            done?0;
            left = left - 1;
            i = i + 1
        :: i == N -> break
        od;

        /* NRT phase */
        do
        :: left > 0 ->
            visit[next]!0;
            done?0;
            next = (next + 1) % N;
            left = left - 1
        :: else -> break
        od
    od
}

proctype Node(byte id)
{
    bit rt;
    bit granted;

idle:
    visit[id]?rt;
    if
    :: rt == 1 -> goto RT_action
    :: rt == 0 -> goto NRT_action
    fi;

RT_action:
    if
    :: granted == 0 -> goto error_st
    :: goto finish                              /* use the slot */
    :: granted == 1 ->
        atomic { release!id; granted = 0 };
        ok?0;
        goto finish
    fi;

NRT_action:
    if
    :: granted == 0 ->
        reserve!id;
        if
        :: grant?0 -> granted = 1
        :: no_grant?0
        fi
    :: skip                                     /* send ordinary data */
    fi;

finish:
    done!0;
    goto idle;

error_st:
    false
}

init {
    byte n;
    atomic {
        for (n : 0 .. N-1) {
            run Node(n)
        }
    }
}
