/* An escape by a message from a buffer. */
chan c = [1] of { byte };
byte x;
active proctype p() { { do :: x < 3 -> x++ :: x == 3 -> x = 1 od } unless { c?_ }; x = 9 }
active proctype q() { c!1 }
