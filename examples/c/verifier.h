/*
 * Where a program takes its inputs from, and what it assumes of them. A verifier tries all values;
 * inputs.c reads them from standard input.
 */
#ifndef VERIFIER_H
#define VERIFIER_H

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void __VERIFIER_assume(int condition);

/* Gives the place of the call a name, at which values can be compared. */
extern void __WHEREFORE_point(const char *name);

#endif
