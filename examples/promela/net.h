/*
 * An unreliable network. A message handed to lossy_send() is delivered or disappears; a full channel loses it for certain.
 */
#ifndef NET_H
#define NET_H

#define INC(x, m)	((x + 1) % (m))

inline lossy_send(c, kind, number)
{
	if
	:: nfull(c) -> c!kind(number)
	:: skip		/* lost on the way */
	fi
}

#endif
