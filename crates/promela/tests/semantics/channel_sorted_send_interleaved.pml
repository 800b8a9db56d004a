/* Sorted sends of several processes. */
chan c = [3] of { byte };
active [3] proctype s() { c!!3 - _pid }
active proctype r() { byte a, b; len(c) == 3; c?a; c?b; assert(a < b) }
