/* Another process makes the escape possible. */
byte x, stop;
active proctype p() { do :: { x < 3 -> x++ } unless { stop -> break } :: x == 3 -> x = 0 od; x = 7 }
active proctype q() { stop = 1 }
