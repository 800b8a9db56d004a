/* Variables of the options of a loop live as long as the process. */
byte n;
active proctype p() { do :: n == 0 -> byte a = 1; n = a :: n == 1 -> byte a = 2; n = a :: else -> break od }
