/* Inside a d_step the first executable option is taken, always the same. */
byte x, i;
active proctype p()
{
	d_step {
		do
		:: i < 5 -> i++; if :: i > 1 -> x = x + 1 :: i > 0 -> x = x + 10 :: else -> x = 100 fi
		:: else -> break
		od
	}
	assert(x == 14)
}
active proctype q() { x > 0; x = 0 }
