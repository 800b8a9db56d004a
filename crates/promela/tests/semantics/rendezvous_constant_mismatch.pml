/* An offer that no receiver matches does not happen. */
mtype = { req, ack };
chan c = [0] of { mtype };
active proctype s() { c!req }
active proctype r() { c?ack }
