/* Sends to buffers inside a d_step. */
chan c = [3] of { byte };
byte x;
active proctype p() { d_step { c!1; c!2; c!3; x = len(c) } }
active proctype q() { byte v; c?v; c?v }
