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

#endif
