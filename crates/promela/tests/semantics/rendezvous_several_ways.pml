/* One receiver with several matching receives may take each. */
chan c = [0] of { byte, byte };
byte x;
active proctype s() { c!1,2 }
active proctype r() { byte v, w; if :: c?1,v -> x = 1 :: c?v,2 -> x = 2 :: c?v,w -> x = 3 :: c?2,v -> x = 4 fi }
