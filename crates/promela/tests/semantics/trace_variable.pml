/* A variable in a trace stands for any value, eval for its own. */
chan c = [2] of { byte, byte };
byte x = 1, y;
trace { c!x,1; c?x,eval(x); c!_,_ ; c?eval(x),2 }
active proctype s() { c!7,1; c?y,1; c!1,2; c?y,2; end: false }
