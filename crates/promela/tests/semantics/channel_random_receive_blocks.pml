/* c??m blocks when no message matches. */
chan c = [2] of { byte };
byte x;
active proctype p() { c!1; c??2; x = 1 }
active proctype q() { c!2; x = 2 }
