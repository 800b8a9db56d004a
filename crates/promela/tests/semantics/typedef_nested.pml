/* Records inside records, local ones, and initial values of fields. */
typedef inner { byte a = 3; byte b[2] };
typedef outer { inner one; inner two[2]; byte c };
outer g;
active proctype p() { outer l; l.two[1].b[0] = 9; g.one.b[1] = l.two[1].b[0] + l.one.a; assert(g.one.b[1] == 12 && l.two[0].b[0] == 0) }
