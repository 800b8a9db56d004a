/* A priority given with run. */
byte x;
proctype p(byte k) { x = k; x = k + 1 }
init { atomic { run p(10) priority 2; run p(20) priority 4 } }
