//! Programs that run: each says itself what must hold.

use crate::run::run;

/// The program ends, and nothing is wrong with it.
fn holds(text: &str) {
    let outcome = run(text);
    assert_eq!((outcome.violations, outcome.obstacles), (vec![], vec![]), "{text}");
    assert!(!outcome.ends.is_empty(), "it does not end: {text}");
}

/// Assertions about the values of expressions, one a line.
fn all_hold(declarations: &str, assertions: &str) {
    let body: String = assertions
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| format!("  assert({line});\n"))
        .collect();
    holds(&format!("#include <assert.h>\n{declarations}\nint main(void) {{\n{body}  return 0;\n}}\n"));
}

fn fails(text: &str, expected: &[&str]) {
    let outcome = run(text);
    assert_eq!(outcome.violations, expected, "{text}");
}

#[test]
fn integers_have_their_width() {
    all_hold(
        "unsigned char c = 200; signed char s = 100; unsigned u = 4000000000u; long l = -1; unsigned long ul = -1;
         short h = 30000; unsigned long long big = 0x8000000000000000ull; int m = -7; int z;",
        "(unsigned char)(c + 100) == 44
         c + 100 == 300
         (signed char)(s + s) == -56
         u + u == 3705032704u
         (int)u == -294967296
         u > 0 && (int)u < 0
         l < 0 && (unsigned long)l > 5
         ul / 10 == 1844674407370955161ul
         ul % 10 == 5
         ul >> 63 == 1
         big > 1 && (long)big < 0
         m / 2 == -3 && m % 2 == -1
         m >> 1 == -4
         (unsigned)m >> 28 == 15
         (short)(h + h) == -5536
         -1 < 1u ? 0 : 1
         z == 0
         (~0u) == 4294967295u && ~0 == -1
         (1 << 4) == 16 && (c & 15) == 8 && (c | 1) == 201 && (c ^ 255) == 55
         !m == 0 && !z == 1
         sizeof(long) == 8
         (_Bool)256 == 1 && (_Bool)0.5 == 1",
    );
}

#[test]
fn floats_are_computed() {
    all_hold(
        "float f = 0.1f; double d = 0.1; double one = 1; float third = 1.0f / 3; int i = 7; double neg = -2.9;",
        "f != d
         (float)d == f
         d + 0.2 > 0.3 && d + 0.2 < 0.3001
         third * 3 == 1.0f
         (int)neg == -2
         (unsigned char)3.99 == 3
         i / 2.0 == 3.5
         one / 4 == 0.25
         -one < 0 && !(one < 0)
         !0.0 && !-0.0",
    );
}

#[test]
fn effects_happen_once_and_in_order() {
    holds(
        "#include <assert.h>
         int calls; int next(void) { return ++calls; }
         int main(void) {
           int i = 0, a[3] = {10, 20, 30}; int *p = a;
           assert(a[i++] == 10 && i == 1);
           assert(*p++ == 10 && *p == 20);
           assert(++*p == 21 && a[1] == 21);
           i = 5; int j = i++ + 1; assert(i == 6 && j == 6);
           int k = (i = 3, i + 1); assert(k == 4 && i == 3);
           int zero = 0;
           zero && next(); assert(calls == 0);
           1 || next(); assert(calls == 0);
           (zero || next()) && next(); assert(calls == 2);
           int t = zero ? next() : next() + 10; assert(t == 13 && calls == 3);
           i = j = k = 9; assert(i == 9 && j == 9 && k == 9);
           a[1] += a[0] *= 2; assert(a[0] == 20 && a[1] == 41);
           unsigned char c = 255; int w = c++; assert(w == 255 && c == 0);
           int e = ({ int q = 4; q * 2; }); assert(e == 8);
           return 0;
         }",
    );
}

#[test]
fn control_flow() {
    holds(
        "#include <assert.h>
         int sign(int x) { if (x < 0) return -1; else if (x == 0) return 0; return 1; }
         int grade(int x) { switch (x) { case 1: case 2: return 10; case 3 ... 5: x++; default: x += 100; break; case 9: x = 0; } return x; }
         int main(void) {
           int sum = 0;
           for (int i = 0; i < 5; i++) { if (i == 1) continue; if (i == 4) break; sum += i; }
           assert(sum == 5);
           int n = 3; while (n) n--; assert(n == 0);
           do { n++; } while (n < 4); assert(n == 4);
           for (;;) { if (n-- == 0) break; }
           assert(n == -1);
           assert(sign(-5) == -1 && sign(0) == 0 && sign(7) == 1);
           assert(grade(1) == 10 && grade(2) == 10 && grade(4) == 105 && grade(9) == 0 && grade(7) == 107);
           int g = 0;
         again: if (g < 3) { g++; goto again; }
           assert(g == 3);
           for (int i = 0; i < 2; i++) { int fresh[1]; assert(fresh[0] == 0); fresh[0] = 7; }
           return 0;
         }",
    );
}

#[test]
fn memory_of_all_sorts() {
    holds(
        "#include <assert.h>
         #include <stdlib.h>
         #include <string.h>
         struct point { int x, y; }; struct node { int value; struct node *next; };
         struct bits { unsigned a : 3; int b : 5; unsigned c : 12; };
         union number { int i; unsigned char bytes[4]; };
         int table[2][3] = {{1, 2, 3}, {4, 5}}; const char *words[] = {\"zero\", \"one\"};
         struct point origin = {.y = 4}; static int *alias = &table[1][0];
         struct point make(int x, int y) { struct point p = {x, y}; return p; }
         int total(struct point p) { p.x += p.y; return p.x; }
         void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
         int main(void) {
           assert(table[1][1] == 5 && table[1][2] == 0 && alias[1] == 5);
           assert(origin.x == 0 && origin.y == 4);
           assert(words[1][0] == 'o' && strlen(words[0]) == 4);
           struct point p = make(3, 4), q; q = p; q.x = 9; assert(p.x == 3 && total(q) == 13 && q.x == 9);
           assert(make(5, 6).y == 6);
           int a = 1, b = 2; swap(&a, &b); assert(a == 2 && b == 1);
           struct bits f = {5, -3, 4000}; f.a += 4; f.c++; assert(f.a == 1 && f.b == -3 && f.c == 4001);
           union number u; u.i = 0x01020304; assert(u.bytes[0] == 4 && u.bytes[3] == 1);
           struct node *list = 0;
           for (int i = 0; i < 3; i++) { struct node *n = malloc(sizeof *n); n->value = i; n->next = list; list = n; }
           int sum = 0; for (struct node *n = list; n; n = n->next) sum = sum * 10 + n->value;
           assert(sum == 210);
           while (list) { struct node *n = list; list = n->next; free(n); }
           char text[8] = \"abc\"; strcat(text, \"de\"); assert(strcmp(text, \"abcde\") == 0 && text[7] == 0);
           memset(text, 'x', 3); assert(text[2] == 'x' && text[3] == 'd'); memcpy(text, \"12\", 2); assert(text[1] == '2');
           int *grown = calloc(2, sizeof(int)); grown[1] = 7; grown = realloc(grown, 16); assert(grown[1] == 7); free(grown);
           int m[2][2]; int (*row)[2] = m; row[1][0] = 3; assert(m[1][0] == 3 && &m[1][0] - &m[0][0] == 2);
           assert(strchr(\"hello\", 'l') - \"hello\" == 2 || 1);
           return 0;
         }",
    );
}

#[test]
fn functions_and_recursion() {
    holds(
        "#include <assert.h>
         int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
         int even(int n); int odd(int n) { return n == 0 ? 0 : even(n - 1); }
         int even(int n) { return n == 0 ? 1 : odd(n - 1); }
         int twice(int (*f)(int), int x) { return f(f(x)); } int inc(int x) { return x + 1; }
         int (*table[])(int) = {inc, fib};
         int counter(void) { static int n = 10; return n++; }
         old(a, c) char c; { return a + c; }
         double half(float f) { return f / 2; }
         int main(int argc, char **argv) {
           assert((argc > 1 || argv[1] == 0) && argv[0][0] == 'p' && argv[argc] == 0);
           assert(fib(10) == 55 && even(6) && !odd(6));
           assert(twice(inc, 5) == 7 && table[1](6) == 8 && (*table[0])(1) == 2);
           assert(counter() == 10 && counter() == 11);
           assert(old(1, 300) == 45 && half(3) == 1.5);
           return 0;
         }",
    );
}

#[test]
fn faults_are_violations() {
    let program = |body: &str| {
        format!(
            "#include <stdlib.h>\n#include <string.h>\nint g[3]; int *p; int f(int x) {{ return x; }}\nint main(void) {{ int i = 3, a[2]; {body} }}\n"
        )
    };
    let cases = [
        ("return 1 / (i - 3);", "4: division by zero in `return 1 / (i - 3)`"),
        ("return (unsigned long)i % (i - 3);", "4: division by zero in `return (unsigned long)i % (i - 3)`"),
        ("g[i] = 1;", "4: array index out of bounds in `g[i] = 1`"),
        ("p = g; p[i] = 1;", "4: access outside of an object in `p[i] = 1`"),
        ("*p = 1;", "4: use of a null pointer in `*p = 1`"),
        ("p = malloc(4); free(p); i = *p;", "4: use of a dangling pointer in `i = *p`"),
        ("p = malloc(4); free(p); free(p);", "4: double free in `free(p)`"),
        ("free(g);", "4: free of what was not allocated in `free(g)`"),
        ("p = malloc(4); free(p + 1);", "4: free of what was not allocated in `free(p + 1)`"),
        ("int (*h)(int) = 0; h(1);", "4: use of a null pointer in `h(1)`"),
        ("char *s = \"abc\"; s[0] = 'x';", "4: write to a constant object in `s[0] = 'x'`"),
        ("char s[2]; strcpy(s, \"abc\");", "4: access outside of an object in `strcpy(s, \"abc\")`"),
        ("p = a; p[2] = 0;", "4: access outside of an object in `p[2] = 0`"),
    ];
    for (body, expected) in cases {
        fails(&program(body), &[expected]);
    }
}

#[test]
fn errors_of_verifiers_are_violations() {
    fails(
        "extern void reach_error(void);
         void __VERIFIER_assert(int c) { if (!c) { reach_error(); } }
         int main(void) { __VERIFIER_assert(1); __VERIFIER_assert(0); return 0; }",
        &["2: `reach_error()` is reached"],
    );
    fails(
        "#include <assert.h>\nint main(void) { int x = 1;\n assert(x == 2); return 0; }",
        &["3: `assert(x == 2)` fails"],
    );
    fails(
        "extern void __assert_fail(const char *, const char *, unsigned, const char *);
         int main(void) { int x = 1;
           ((x == 2) ? (void)0 : __assert_fail(\"x\", \"t\", 1, \"main\")); return 0; }",
        &["3: `((x == 2) ? (void)0 : __assert_fail(\"x\", \"t\", 1, \"main\"))` fails"],
    );
}

#[test]
fn inputs_are_tried_where_their_range_is_known() {
    let outcome = run("#include <assert.h>
         extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);
         extern void __VERIFIER_assume(int); int r;
         int main(void) {
           int x = __VERIFIER_nondet_int(); __VERIFIER_assume(0 <= x && x <= 4);
           int y = __VERIFIER_nondet_int(); if (y < -1 || y > 1) return 0;
           _Bool b = __VERIFIER_nondet_bool();
           r = x * 10 + y * 2 + b; return 0; }");
    assert_eq!((outcome.ends.len(), outcome.obstacles.len()), (30, 0));
    let declared = "extern int __VERIFIER_nondet_int(void); extern unsigned __VERIFIER_nondet_uint(void);
         extern void __VERIFIER_assume(int); extern void abort(void); int a[2]; struct { int m; } s;";
    let ends = |body: &str| {
        let outcome = run(&format!("{declared} int r; int main(void) {{ {body} return 0; }}"));
        if outcome.obstacles.is_empty() { Some(outcome.ends.len()) } else { None }
    };
    let int = "__VERIFIER_nondet_int()";
    assert_eq!(ends("unsigned x = __VERIFIER_nondet_uint(); if (x > 4) abort(); r = x;"), Some(5));
    assert_eq!(
        ends(&format!("int n = 3; int x = {int}; __VERIFIER_assume(x >= 0 && x < n); r = x;")),
        Some(3)
    );
    assert_eq!(
        // No value will do, and the path ends where the input is taken.
        ends(&format!("int n = 0; int x = {int}; __VERIFIER_assume(x >= 0 && x < n); r = x;")),
        Some(1)
    );
    assert_eq!(
        ends(&format!("int i = 1; a[i] = {int}; __VERIFIER_assume(a[i] >= 1 && a[i] <= 2);")),
        Some(2)
    );
    assert_eq!(ends(&format!("s.m = {int}; if (!(s.m >= 1 && s.m <= 2)) abort();")), Some(2));
    let two = format!("int x = {int}; int y = {int}; __VERIFIER_assume(0 <= x && x < 3 && x <= y && y < 3);");
    assert_eq!(ends(&format!("{two} r = 3 * x + y;")), Some(6));
    // A function that ends the program unless its argument holds is an assumption, whatever its name.
    let declared = format!("{declared} void require(int c) {{ if (!c) {{ abort(); }} }}");
    let text = format!(
        "{declared} int main(void) {{ int x = {int}; require(x > 3); require(x < 6); a[0] = x; return 0; }}"
    );
    assert_eq!((run(&text).ends.len(), run(&text).obstacles.len()), (2, 0));
    // A bound that changes in between, and one whose place is another one, are none.
    assert_eq!(ends(&format!("int n; int x = {int}; n = 3; __VERIFIER_assume(x >= 0 && x < n);")), None);
    assert_eq!(ends(&format!("int i = 0; a[i] = {int}; __VERIFIER_assume(a[1] >= 0 && a[1] < 2);")), None);
    // What could go wrong before the assumption, or go on in another function, is not skipped.
    assert_eq!(ends(&format!("int x = {int}; int y = a[x]; __VERIFIER_assume(x >= 0 && x < 2);")), None);
    let open = run("extern int __VERIFIER_nondet_int(void); int f(void) { int x = __VERIFIER_nondet_int();
           if (x < 0 || x > 2) return -1; return x; }
         int main(void) { return f(); }");
    assert_eq!(open.obstacles.len(), 1);
    let open = run("extern int __VERIFIER_nondet_int(void);
         int main(void) { int x = __VERIFIER_nondet_int(); return x; }");
    assert_eq!(open.obstacles, ["an input had too many values to try them all"]);
}
