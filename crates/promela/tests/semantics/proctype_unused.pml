/* A proctype that is never started, with labels and channels. */
byte x;
proctype never_run(chan c) { l: c!x; goto l }
active proctype p() { x = 1 }
