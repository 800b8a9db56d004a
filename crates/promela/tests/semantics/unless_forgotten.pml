/* A message nobody takes makes SPIN forget that an escape was taken, so that inner steps are looked at too. */
chan q = [0] of { byte };
byte n;
active proctype A() {
    { { n = 1; n = 2 } unless { n == 1; n = 3 } } unless { if :: q!1; n = 5 :: n == 1; n = 4 fi }
}
active proctype B() { byte y; n == 6; q?y }
