/* Processes started in one atomic sequence begin together. */
byte n, m;
proctype p(byte id) { n++; m = id }
init { atomic { run p(1); run p(2); n = 0 } }
