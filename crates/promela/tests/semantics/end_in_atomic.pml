/* A process that waits at an end label inside an atomic sequence. */
byte x;
active proctype p() { atomic { x = 1; end: x == 2; x = 3 } }
