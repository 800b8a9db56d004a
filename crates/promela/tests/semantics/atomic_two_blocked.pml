/* Two atomic sequences that wait for each other hand control back and forth. */
byte x;
active proctype p() { atomic { x = 1; x == 2; x = 3; x == 4; x = 5 } }
active proctype q() { atomic { x == 1; x = 2; x == 3; x = 4; x == 5 }; x = 6 }
