/* Else beside a send and a receive on the same rendezvous channel. */
chan c = [0] of { byte };
byte a[2];
active [2] proctype p()
{
	byte v;
	if
	:: c!1 -> a[_pid] = 1
	:: c?v -> a[_pid] = 2
	:: else -> a[_pid] = 3
	fi
}
