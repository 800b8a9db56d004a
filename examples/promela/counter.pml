/*
 * A distributed counter: a server keeps the value, clients fetch it, add one
 * and store the result. Each client does so TIMES times.
 *
 * expect: assertion
 * fault: line 42 "server!store(me, seen + 1)": between fetch and store another client may store, and its update is lost; mended by a request to add that the server carries out itself.
 * enlarge: -DCLIENTS=3
 * pattern: lost-update; story: lines 29, 42, 30, 55 */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#ifndef TIMES
#define TIMES   2
#endif

mtype = { fetch, store, add, value, stored };

chan server = [1] of { mtype, byte, byte };         /* what, from whom, number */
chan reply[CLIENTS] = [1] of { mtype, byte };

byte count;

active proctype Server()
{
    byte who, n;

end_serving:
    do
    :: server?fetch(who, _) -> reply[who]!value(count)
    :: server?store(who, n) -> count = n; reply[who]!stored(count)
    :: server?add(who, n)   -> count = count + n; reply[who]!stored(count)
    od
}

proctype Client(byte me)
{
    byte seen, k;

    for (k : 1 .. TIMES) {
        server!fetch(me, 0);
        reply[me]?value(seen);
        server!store(me, seen + 1);
        reply[me]?stored(_)
    }
}

init {
    byte i;
    atomic {
        for (i : 0 .. CLIENTS - 1) {
            run Client(i)
        }
    }
    _nr_pr == 2 ->                                  /* the server and me */
        assert(count == CLIENTS * TIMES)
}
