/* np_ belongs in a never claim, which is left aside. */
byte x;
active proctype a() { x = 1; progress: x = 2; x = 3 }
never { do :: np_ :: true od }
