/* The number of a process that ended but cannot die yet is not used again. */
byte last;
proctype stay() { last == 99 }
proctype quick() { skip }
init { pid p; run quick(); run stay(); p = run quick(); last = p; p = run quick(); last = p; last = 99 }
