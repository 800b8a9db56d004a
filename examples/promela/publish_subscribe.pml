/*
 * A broker that forwards numbered events to its subscribers. Subscribers are
 * created one after another, at most LIVE at a time; each brings an inbox of
 * its own, takes a few events, says goodbye and ends once the broker has
 * confirmed that nothing more will come.
 *
 * A subscriber that wants to leave must go on taking events until the broker
 * accepts its wish, or both would wait for each other.
 *
 * expect: none
 * enlarge: -DTOTAL=3
 */
#ifndef TOTAL
#define TOTAL   2           /* subscribers ever created */
#endif
#ifndef LIVE
#define LIVE    2           /* of them at the same time */
#endif
#define NUMBERS 2           /* events are counted modulo this */
#define SERVICES 3          /* init, broker, publisher */

mtype = { subscribe, unsubscribe, publish, event, bye };

typedef Entry {
    chan inbox;
    bool used
};

Entry table[LIVE];
chan to_broker = [1] of { mtype, byte, chan };
chan nobody;                /* stands in where a message needs no channel */

proctype Broker()
{
    chan c;
    byte n, e;

end_serving:
    do
    :: to_broker?subscribe(_, c) ->
        for (e in table) {
            if
            :: !table[e].used -> break
            :: else
            fi
        }
        assert(e < LIVE);
        table[e].inbox = c;
        table[e].used = true;
        e = 0
    :: to_broker?unsubscribe(_, c) ->
        for (e in table) {
            if
            :: table[e].used && table[e].inbox == c ->
                table[e].used = false;
                table[e].inbox = nobody;
                break
            :: else
            fi
        }
        assert(e < LIVE);
        c!bye(0);
        e = 0
    :: to_broker?publish(n, _) ->
        for (e in table) {
            if
            :: table[e].used ->
                c = table[e].inbox;
                c!event(n)
            :: else
            fi
        }
        atomic { n = 0; c = nobody; e = 0 }
    od
}

proctype Publisher()
{
    byte n;

end_publishing:
    do
    :: to_broker!publish(n, nobody) -> n = (n + 1) % NUMBERS
    od
}

proctype Subscriber()
{
    chan inbox = [0] of { mtype, byte };
    byte n, before = NUMBERS;

    to_broker!subscribe(0, inbox);
    do
    :: inbox?event(n) ->
        assert(before == NUMBERS || n == (before + 1) % NUMBERS);
        before = n
    :: to_broker!unsubscribe(0, inbox) ->
        break
    od;
    do
    :: inbox?event(_)
    :: inbox?bye(_) -> break
    od
}

init {
    byte k;

    atomic { run Broker(); run Publisher() }
    for (k : 1 .. TOTAL) {
        _nr_pr < SERVICES + LIVE;
        run Subscriber()
    }
}
