/* Closing signs at the beginning of a line, and arguments on a line of their own. */
byte x;
byte a[2] = { 1,
    2
}
proctype q(byte n) { x = n }
init {
    if
    :: (x == 0
       ) -> printf("%d",
           x
       )
       x = a[1]
    :: else
    fi;
    run q(1
    );
    run q
    (2);
    timeout
    skip
}
