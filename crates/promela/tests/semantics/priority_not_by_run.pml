/* A priority of the proctype is not that of a process started with run. */
proctype p0()
{
	skip
}

proctype p3(byte a3) priority 2
{
	skip
}

init
{
	run p0();
	run p3(1)
}
