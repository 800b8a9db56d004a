/* A message that is a single bit is not cut. */
byte g1;
chan c0 = [2] of { bit };

proctype p1()
{
	c0?eval(g1)
}

proctype p3(byte a3)
{
	c0!2
}

init
{
	run p1();
	run p3(1)
}
