/* A process that starts copies of itself. */
byte n;
proctype p(byte depth) { if :: depth > 0 -> run p(depth - 1) :: else -> n++ fi }
init { run p(3) }
