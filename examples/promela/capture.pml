/*
 * An autopilot that confuses its pilot. The pilot has chosen an altitude and armed
 * its capture, and turns the wheel for vertical speed once during the climb. Close
 * to the altitude the autopilot leaves the climb and captures it by itself.
 *
 * expect: assertion
 * fault: line 37 "mode = speed": the wheel ends a capture that is under way, and nothing arms it again, though the pilot still expects it; mended by a capture that goes on.
 * pattern: none; story: lines 37, 30 */
#define TARGET	4

mtype = { climb, speed, capture };

mtype mode = climb;
bool armed = true;
byte altitude;

active proctype aircraft()
{
	do
	:: altitude < TARGET ->
		altitude++;
		/* the autopilot looks at the altitude */
		if
		:: d_step { armed && altitude == TARGET - 2 -> mode = capture; armed = false }
		:: !armed || altitude != TARGET - 2
		fi
	:: else -> break
	od;
	/* the pilot believes that the climb ends here */
	assert(mode == capture)
}

active proctype pilot()
{
	/* a quieter climb, please */
	altitude > 0 ->
	mode = speed
}
