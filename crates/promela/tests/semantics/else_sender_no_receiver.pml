/* A sender whose receivers are elsewhere takes its else. */
chan c = [0] of { byte };
byte x;
active proctype sender()
{
	if
	:: c!1 -> x = 1
	:: else -> x = 2
	fi;
	assert(x == 2)
}
active proctype other() { x == 9; c?x }
