/* Arrays cannot be of odd widths; scalars in records can. */
typedef r { unsigned u : 4; byte k };
r g[2];
active proctype p() { g[1].u = 17; assert(g[1].u == 1); g[1].u = g[1].u - 2; assert(g[1].u == 15 && g[1].k == 0) }
