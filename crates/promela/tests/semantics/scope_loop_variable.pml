/* Blocks inside the options of a loop have variables of their own. */
byte n;
active proctype p() { do :: n == 0 -> { byte a = 1; n = a } :: n == 1 -> { byte a = 2; n = n + a } :: else -> break od }
