/* Messages come out in the order in which they went in. */
chan c = [3] of { byte };
active proctype s() { c!1; c!2; c!3; c!4 }
active proctype r() { byte v, last; do :: c?v -> assert(v == last + 1); last = v :: last == 4 -> break od }
