/* Else beside operations on a buffered channel is taken only if the buffer is full or empty. */
chan c = [1] of { byte };
byte too_full, nothing;
active proctype producer() { byte i; do :: i < 3 -> if :: c!i :: else -> too_full++ fi; i++ :: else -> break od }
active proctype consumer() { byte v; byte i; do :: i < 2 -> if :: c?v :: else -> nothing++ fi; i++ :: else -> break od }
