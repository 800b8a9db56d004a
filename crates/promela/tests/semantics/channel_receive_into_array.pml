/* Received values may go to elements and fields. */
typedef rec { byte f[2] };
chan c = [1] of { byte, byte };
byte a[3]; rec r;
active proctype p() { byte i = 2; c!7,8; c?a[i],r.f[1]; assert(a[2] == 7 && r.f[1] == 8) }
