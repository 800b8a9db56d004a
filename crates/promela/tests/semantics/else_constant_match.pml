/* Else of a receive that matches a constant: the wrong message at the head counts as none. */
chan c = [2] of { byte, byte };
byte x;
active proctype p()
{
	c!1,4; c!2,5;
	if :: c?2,x -> x = 10 :: else -> x = 1 fi;
	if :: c??2,x :: else -> x = 2 fi;
	assert(x == 5)
}
