/* The last statement of an atomic sequence blocks. */
byte x;
active proctype p() { atomic { x = 1; x == 5 }; x = 2 }
active proctype q() { x == 1; x = 5; x = 6; x = 5 }
