/* A rendezvous in the middle of a d_step, although somebody would take it. */
chan c = [0] of { bit };
byte n;

active proctype p()
{
    d_step { n++; c!1 }
}

active proctype q()
{
    bit b;
    c?b
}
