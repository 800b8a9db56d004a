/* A channel variable that holds a number no channel has. */
chan c = [1] of { byte }; chan d; byte x;
active proctype p() { c!7; c?d; d!1; x = 1 }
