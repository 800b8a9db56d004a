/* skip, true and 1 as guards are steps of their own. */
byte x;
active proctype p() { if :: skip -> x = 1 :: true -> x = 2 :: 1 -> x = 3 :: (2 > 1); x = 4 :: x = 5 fi }
