/* A full channel lets a process with a lower priority move. */
chan c = [1] of { byte }; byte x;
active proctype a() priority 5 { c!1; c!2; x = 1 }
active proctype b() priority 1 { x = 2; c?1; x = 3; c?2 }
