#define N 6
int v[N];
active proctype main()
{
    int i, j, t, x;
    i = 0;
    do
    :: i < N ->
        select(x : 0 .. 3);
        v[i] = x;
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < N ->
        j = 0;
        do
        :: j < N - 1 ->
            if
            :: v[j] > v[j + 1] ->
                t = v[j];
                v[j] = v[j + 1];
                v[j + 1] = t
            :: else
            fi;
            j++
        :: else -> break
        od;
        i++
    :: else -> break
    od;
    i = 0;
    do
    :: i < N - 1 -> assert(v[i] <= v[i + 1]); i++
    :: else -> break
    od
}
