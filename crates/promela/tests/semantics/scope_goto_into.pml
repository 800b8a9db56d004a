/* A goto past a declaration into its block. */
byte r;
active proctype p() { goto inside; { byte x = 3; inside: r = x; x = 4 } }
