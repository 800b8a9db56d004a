/* An atomic sequence around a choice: all branches stay atomic to its end. */
byte x;
active proctype p() { atomic { if :: x = 1; x = 2 :: x = 3 :: skip fi; x = x + 10 } }
active [2] proctype q() { x = x + 1 }
