/* Processes that start themselves without end. */
proctype p() { run p() }
init { run p() }
