/*
 * A workflow step with timeout and retry: a shop asks a payment service to
 * charge an order; if no answer comes, it asks again, up to RETRIES times.
 * Requests and answers can be lost.
 *
 * The service charges whenever it is asked. If only the answer was lost, the
 * customer pays twice.
 *
 * expect: assertion
 * fault: line 60 "charged[order]++;": done again for a repeated request; mended by charging an order only if it has not been charged yet.
 * enlarge: -DORDERS=4
 * pattern: message-lost-or-overtaken; story: lines 60, 70, 41 */
#ifndef ORDERS
#define ORDERS  2
#endif
#ifndef RETRIES
#define RETRIES 2
#endif

mtype = { charge, receipt };
mtype = { pending, paid, unclear };

chan net_out = [ORDERS] of { mtype, byte };
chan net_in  = [ORDERS] of { mtype, byte };

byte charged[ORDERS];
mtype order_state[ORDERS] = pending;

/* one of these for every order */
proctype Order(byte me)
{
    unsigned attempts : 3;

    do
    :: attempts <= RETRIES ->
        net_out!charge(me);
        attempts++;
        if
        :: net_in??receipt,eval(me) ->
            order_state[me] = paid;
            assert(charged[me] == 1);
            break
        :: timeout ->
            printf("order %d: no answer, attempt %d\n", me, attempts)
        fi
    :: else ->
        order_state[me] = unclear;
        break
    od;
    assert(order_state[me] != pending)
}

active proctype Service()
{
    byte order;

end_waiting:
    do
    :: net_out?charge(order) ->
        charged[order]++;
        net_in!receipt(order)
    od
}

active proctype Loss()
{
end_losing:
    do
    :: net_out?charge(_)
    :: net_in?receipt(_)
    od
}

init {
    byte i;
    atomic {
        for (i : 0 .. ORDERS - 1) {
            run Order(i)
        }
    }
}
