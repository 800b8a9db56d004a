byte a, b, c;
active proctype main()
{
    bit x;
    do
    :: true ->
        if :: x = 0 :: x = 1 fi;
        if
        :: x -> a = (a + 1) % 40
        :: else ->
            if :: x = 0 :: x = 1 fi;
            if
            :: x -> b = (b + 1) % 40
            :: else -> c = (c + 1) % 40
            fi
        fi
    od
}
