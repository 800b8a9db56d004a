/*
 * A crossing of two roads with lights, loops in the ground that see cars
 * coming, and a button for pedestrians.
 *
 * The controller turns a road green only after the other one has been red for
 * at least one step, and lets pedestrians walk while both are red.
 *
 * expect: none
 * ltl: pedestrians_walk holds
 * enlarge: -DROADS=4
 */
#ifndef ROADS
#define ROADS	2
#endif

mtype:colour = { red, amber, green };

mtype:colour light[ROADS] = red;
bool car[ROADS];		/* seen by the loop */
bool button;			/* pressed by somebody */
bool walk;			/* shown to pedestrians */

#define IS(r, c)	(light[r] == c)
#define TURN(r, c)	light[r] = c

inline check_lights()
{
	d_step {
		lit = 0;
		for (r : 0 .. ROADS-1) {
			lit = lit + (!IS(r, red) -> 1 : 0)
		}
		assert(lit <= 1 && (!walk || lit == 0));
		r = 0; lit = 0
	}
}

active [ROADS] proctype Loop()
{
	/* cars come at any time and pass at green */
end:	do
	:: !car[_pid] -> car[_pid] = true
	:: atomic { car[_pid] && IS(_pid, green) -> car[_pid] = false }
	od
}

active proctype Pedestrian()
{
end:	do
	:: !button ->
		button = true
	:: atomic { walk -> assert(IS(0, red) && IS(1, red)) }
	od
}

active proctype Controller()
{
	byte turn, r, lit;

	do
	:: true ->
		if
		:: button ->
			walk = true;
			check_lights();
			d_step { walk = false; button = false }
		:: else
		fi;
		if
		:: car[turn] ->
			TURN(turn, green);
			check_lights();
			TURN(turn, amber);
			check_lights();
			TURN(turn, red)
		:: else
		fi;
		turn = (turn + 1) % ROADS
	od
}

ltl pedestrians_walk { ([]<> button) -> ([]<> walk) }
