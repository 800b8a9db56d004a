/* A local channel dies with its process; later channels take its place. */
chan pass = [2] of { chan };
byte n;
proctype p() { chan c = [1] of { byte }; c!5; pass!c; n++ }
init { chan got; run p(); pass?got; _nr_pr == 1; run p(); pass?got; n == 2; _nr_pr == 1 }
