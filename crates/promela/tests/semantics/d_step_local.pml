/* Local variables declared inside a d_step. */
byte x;
active proctype p() { d_step { byte t = 5; t = t + 1; x = t }; d_step { byte t; x = x + t } }
