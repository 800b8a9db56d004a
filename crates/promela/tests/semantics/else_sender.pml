/* A sender takes its else only if no receiver is ready. */
chan c = [0] of { byte };
byte x, y;
active proctype sender()
{
	do
	:: c!1 -> x = 1; break
	:: else -> x = 2
	od
}
active proctype receiver() { byte v; y = 1; c?v; y = v + 1 }
