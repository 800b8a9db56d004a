/*
 * An elevator: a panel where people press buttons, a door, and a controller
 * that goes on in one direction as long as there are calls ahead. It stops
 * once at a floor, however often the button there is pressed.
 *
 * The cabin must never move with its door open, nor leave the shaft, and a
 * call must be answered.
 *
 * expect: none
 * ltl: answered holds
 * enlarge: -DFLOORS=6
 */
#ifndef FLOORS
#define FLOORS 4
#endif
#define TOP (FLOORS - 1)

mtype:door = { opened, closed };
mtype:way  = { up, down };
mtype:order = { open_it, close_it };

bool call[FLOORS];
byte cabin = 0;                     /* the floor it is at */
mtype:door door = closed;

chan to_door = [0] of { mtype:order };
chan from_door = [0] of { mtype:door };

/* are there calls from floor `from' to floor `to'? */
inline any_call(from, to, answer)
{
    d_step {
        answer = false;
        for (f : from .. to) {
            answer = answer || call[f]
        }
        f = 0
    }
}

inline command(what, expected)
{
    to_door!what;
    from_door?expected
}

active proctype Panel()
{
    byte f;
end_pressing:
    do
    :: select(f : 0 .. TOP);
       call[f] = true;
       f = 0
    od
}

active proctype Door()
{
end_door:
    do
    :: to_door?open_it ->
        door = opened;
        from_door!door
    :: to_door?close_it ->
        door = closed;
        from_door!door
    od
}

active proctype Controller()
{
    mtype:way heading = up;
    bool ahead, stopped;
    byte f;

end_idle:
    do
    :: call[cabin] && !stopped ->
        command(open_it, opened);
served: call[cabin] = false;
        command(close_it, closed);
        stopped = true
    :: (!call[cabin] || stopped) && heading == up ->
        any_call(cabin + 1, TOP, ahead);
        if
        :: ahead ->
            assert(door == closed && cabin < TOP);
            cabin++
        :: else -> heading = down
        fi;
        stopped = false
    :: (!call[cabin] || stopped) && heading == down ->
        any_call(0, cabin - 1, ahead);
        if
        :: ahead ->
            assert(door == closed && cabin > 0);
            cabin--
        :: else -> heading = up
        fi;
        stopped = false
    od
}

ltl answered { [] (call[TOP] -> <> (cabin == TOP && door == opened)) }
