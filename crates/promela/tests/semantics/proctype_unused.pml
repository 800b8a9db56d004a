/* A proctype that is never started. */
byte x;
chan c = [1] of { byte };
proctype never_run() { l: c!x; goto l }
active proctype p() { x = 1 }
