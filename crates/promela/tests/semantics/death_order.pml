/* A process dies only when it has the highest live number. */
byte n;
proctype p() { n++ }
init { run p(); run p(); run p(); _nr_pr == 2 -> n = 10; _nr_pr == 1 }
