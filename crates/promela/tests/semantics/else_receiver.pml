/* A receiver takes its else although a rendezvous sender waits. */
chan c = [0] of { byte };
byte x;
active proctype sender() { c!1 }
active proctype receiver()
{
	if
	:: c?x -> x = 2
	:: else -> x = 7
	fi
}
