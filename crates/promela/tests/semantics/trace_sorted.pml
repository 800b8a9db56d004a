/* A sorted send puts a message in front. */
chan c = [3] of { byte };
byte x;
trace { c!2; c!1 }
active proctype s() { c!!2; c!!1; end: false }
