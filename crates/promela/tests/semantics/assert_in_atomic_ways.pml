/* Assertions in an atomic sequence that several ways lead to. */
bit g1;

active [2] proctype p2()
{
	g1--;
	atomic {
		g1 = _pid;
		assert(!(g1 == 0))
	}
}
