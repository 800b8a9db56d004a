/* Initial values of locals are computed when the process starts. */
byte g;
proctype p(byte k) { byte a = k * 2; byte b = g; g = a + b }
init { run p(3); g = 1; run p(4) }
