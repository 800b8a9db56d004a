/* What is written to _ is forgotten. */
byte x; chan c = [2] of { byte, byte };
active proctype p() { do :: _ = x; x = (x + 1) % 3 :: _ = 7 :: c!x,1 :: c?_,_ od }
