/* Both partners of a rendezvous have an else. */
chan c = [0] of { byte };
byte s, r;
active proctype sender() { do :: s < 2 -> if :: c!5 -> s = 2 :: else -> s++ fi :: else -> break od }
active proctype receiver() { do :: r < 2 -> if :: c?r :: else -> r++ fi :: else -> break od }
