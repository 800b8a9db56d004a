/* Names of an mtype match as constants do. */
mtype = { data, ack };
chan c = [2] of { mtype, byte };
active proctype s() { c!data(1); c!ack(2) }
active proctype r() { byte v; end: do :: c?data(v) -> assert(v == 1) :: c?ack(v) -> assert(v == 2) od }
