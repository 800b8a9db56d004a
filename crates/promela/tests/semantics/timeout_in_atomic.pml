/* A timeout inside atomic releases control and resumes atomically. */
byte x;
active proctype p() { atomic { x = 1; timeout; x = 2; x = 3 } }
active proctype q() { x == 1; x = 10; x == 3; assert(false) }
