/* At most 255 processes: the next run is an error. */
byte n;
proctype p() { n == 255 }
init { do :: n < 255 -> run p(); n++ :: else -> break od }
