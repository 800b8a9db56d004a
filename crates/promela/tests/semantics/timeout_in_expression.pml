/* timeout is an operand like any other. */
byte x;
active proctype p() { (timeout && x < 2) -> x = 1; !timeout -> x = 2 }
active proctype q() { x == 1; (timeout || x > 5) -> skip }
