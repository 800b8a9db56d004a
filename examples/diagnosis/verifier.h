/* What the programs of this folder take from outside, and what they say of themselves. */
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);
extern void __WHEREFORE_constraint(int condition);
