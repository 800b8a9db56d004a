/* The else of an inner choice is not that of the outer one. */
byte x, y;
active proctype p()
{
	do
	:: x < 2 ->
		if
		:: y > 0 -> y--
		:: else -> if :: x == 1 -> x = 2 :: else -> x++; y = 1 fi
		fi
	:: else -> break
	od
}
active proctype q() { y == 1; y = 2 }
