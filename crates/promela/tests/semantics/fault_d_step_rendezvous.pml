/* A d_step that begins with the offer of a rendezvous, which nobody takes. */
chan c = [0] of { bit };
byte n;

active proctype p()
{
    do
    :: d_step { c!1; n++ }
    :: n = 0
    od
}
