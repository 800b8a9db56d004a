/* An assignment as a guard can always run, a printf as well. */
byte x;
active proctype p() { do :: x = 1; break :: printf("hello %d\n", x); break :: x == 9 -> skip od; printf("bye\n") }
