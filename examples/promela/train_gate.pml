/*
 * A bridge with one track and N trains. A train announces itself; the gate
 * lets it cross, or stops it and calls it later, first come, first served.
 *
 * The gate keeps the trains in a queue. The one that crosses stays at the
 * head until it has left, but whoever dimensioned the queue thought that only
 * the stopped ones are in it.
 *
 * expect: deadlock
 * fault: line 22 "chan queue = [N-1] of": the train on the bridge is in the queue too; when all trains are there the gate blocks on the full queue and takes no leave any more; first seen in line 63 "queue!id"; mended by [N].
 * enlarge: -DN=6
 * pattern: capacity; story: lines 63 */
#ifndef N
#define N 4
#endif

mtype = { stop, go };

chan appr  = [0] of { byte };
chan leave = [0] of { byte };
chan signal[N] = [1] of { mtype };
chan queue = [N-1] of { byte };

byte on_bridge;

proctype Train(byte id)
{
end_far_away:
    do
    :: appr!id;
       if
       :: signal[id]?go
       :: signal[id]?stop ->
waiting:   signal[id]?go
       fi;
       on_bridge++;
crossing:
       assert(on_bridge == 1);
       on_bridge--;
       leave!id
    od
}

proctype Gate()
{
    byte id, head;

end_free:
    if
    :: len(queue) > 0 ->
        queue?<head>;
        signal[head]!go;
        goto end_occupied
    :: len(queue) == 0 ->
        appr?id;
        queue!id;
        signal[id]!go
    fi;

end_occupied:
    if
    :: appr?id ->
        queue!id;
        signal[id]!stop;
        goto end_occupied
    :: leave?id ->
        queue?eval(id);
        goto end_free
    fi
}

init {
    byte i;
    atomic {
        run Gate();
        for (i : 0 .. N-1) {
            run Train(i)
        }
    }
}
