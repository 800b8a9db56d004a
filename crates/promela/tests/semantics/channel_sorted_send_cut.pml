/* A sorted send looks at the value before it is cut. */
chan c1 = [2] of { bit };

proctype p2(byte a2)
{
	c1!!(2) % 3
}

active proctype p3(byte a3)
{
	c1!1
}

init
{
	run p2(0)
}
