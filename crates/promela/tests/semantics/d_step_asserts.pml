/* Two assertions fail in one step. */
byte x;
active proctype s() { d_step { assert(x==1); assert(x==2) } }
