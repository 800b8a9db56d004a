/*
 * A vending machine: coins of 1 and 2, a choice of tea (2) and coffee (3),
 * a button that gives the money back, and a stock that is refilled.
 *
 * No money may get lost: what the customer has, what is credited and what is
 * in the till must add up.
 *
 * expect: none
 * enlarge: -DMONEY=12 -DSTOCK=3
 */
#ifndef MONEY
#define MONEY 6                         /* of the customer at the beginning */
#endif
#ifndef STOCK
#define STOCK 1
#endif
#define TEA_PRICE    2
#define COFFEE_PRICE 3
#define MOST         4                  /* credit beyond this is refused */

mtype = { tea, coffee, change };

chan slot   = [1] of { byte };
chan choice = [0] of { mtype };
chan tray   = [0] of { mtype, byte };

bool pressed;                           /* the money-back button */
byte till, credit, purse = MONEY;
byte stock[2] = { STOCK, STOCK };       /* of tea and coffee */
hidden byte sold;                       /* statistics only */

#define INDEX(d)  ((d) == tea -> 0 : 1)
#define PRICE(d)  ((d) == tea -> TEA_PRICE : COFFEE_PRICE)

active proctype Machine()
{
    byte coin;
    mtype d;

end_collecting:
    {
        if
        :: slot?coin -> goto credited
        :: choice?d -> goto chosen
        fi
    } unless {
        pressed -> goto money_back
    };

credited:
    credit = credit + coin;
    coin = 0;
    if
    :: credit > MOST -> goto money_back
    :: else -> goto end_collecting
    fi;

chosen:
    if
    :: stock[INDEX(d)] > 0 && credit >= PRICE(d) ->
        atomic {
            stock[INDEX(d)]--;
            till = till + PRICE(d);
            credit = credit - PRICE(d);
            sold++
        }
        tray!d(1)
    :: else ->                          /* sold out, or too little money */
        printm(d);
        goto end_collecting
    fi;

money_back:
    tray!change(credit);
    credit = 0;
    pressed = false;
    d = 0;
    goto end_collecting
}

active proctype Customer()
{
    byte back;
    mtype what;

end_thinking:
    do
    :: atomic { purse >= 2 && nfull(slot) -> slot!2; purse = purse - 2 }
    :: atomic { purse >= 1 && nfull(slot) -> slot!1; purse = purse - 1 }
    :: choice!tea
    :: choice!coffee
    :: tray?what(back) ->
        if
        :: what == change -> purse = purse + back
        :: else
        fi;
        d_step { what = 0; back = 0 }
    :: !pressed && credit > 0 -> pressed = true
    od
}

/* nobody has money in hand: remote references look into the other processes */
#define ALL_QUIET \
    (empty(slot) && Machine@end_collecting && Customer@end_thinking)

active proctype Service()
{
end_waiting:
    do
    :: stock[0] == 0 -> stock[0] = STOCK
    :: stock[1] == 0 -> stock[1] = STOCK
    :: atomic { till > 0 && ALL_QUIET ->
           assert(till + credit + purse == MONEY);
           purse = purse + till;        /* pay day */
           till = 0
       }
    od
}

/* a drink is always followed by the change, even if there is none */
trace {
    do
    :: tray!tea(1) -> tray!change(_)
    :: tray!coffee(1) -> tray!change(_)
    :: tray!change(_)
    od
}
