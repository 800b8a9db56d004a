//! Texts that other preprocessors got wrong, or could.

use super::Agreement::{Blanks, Tokens};
use super::{compare, gcc_is_there};

const SNIPPETS: &[&str] = &[
    // The examples of the standard (6.10.3.5).
    "#define x 3\n#define f(a) f(x * (a))\n#undef x\n#define x 2\n#define g f\n#define z z[0]\n#define h g(~\n\
     #define m(a) a(w)\n#define w 0,1\n#define t(a) a\n#define p() int\n#define q(x) x\n#define r(x,y) x ## y\n\
     #define str(x) # x\n\
     f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);\ng(x+(3,4)-w) | h 5) & m(f)^m(m);\n\
     p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };\nchar c[2][6] = { str(hello), str() };\n",
    "#define str(s) # s\n#define xstr(s) str(s)\n#define debug(s, t) printf(\"x\" # s \"= %d, x\" # t \"= %s\", \\\n\
     x ## s, x ## t)\n#define INCFILE(n) vers ## n\n#define glue(a, b) a ## b\n#define xglue(a, b) glue(a, b)\n\
     #define HIGHLOW \"hello\"\n#define LOW LOW \", world\"\n\
     debug(1, 2);\nfputs(str(strncmp(\"abc\\0d\", \"abc\", '\\4') // this goes away\n == 0) str(: @\\n), s);\n\
     xstr(INCFILE(2).h)\nglue(HIGH, LOW);\nxglue(HIGH, LOW)\n",
    "#define hash_hash # ## #\n#define mkstr(a) # a\n#define in_between(a) mkstr(a)\n\
     #define join(c, d) in_between(c hash_hash d)\njoin(x, y)\n",
    "#define t(x,y,z) x ## y ## z\nt(1,2,3) t(,4,5) t(6,,7) t(8,9,) t(10,,) t(,11,) t(,,12) t(,,)\n",
    "#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)\n",
    "#define f(x) x f\nf(1)(2)(3)\n",
    "#define NIL(xxx) xxx\n#define G_0(arg) NIL(G_1)(arg)\n#define G_1(arg) NIL(arg)\nG_0(42)\n",
    "#define foo foo a bar\n#define bar bar foo\nfoo bar\n",
    "#define EMPTY\n#define DEFER(x) x EMPTY\n#define f(x) [x] DEFER(g)\n#define g(x) {x} DEFER(f)\nf(1)(2)(3)(4)\n",
    "#define g(x) x\n#define f f\nf g g (f)(g)(g)(1) g(g)(2) g\n(3) g (\n4\n)\n",
    "#define a b\n#define b c\n#define c a\na b c\n",
    // Rests.
    "#define v(a,...) a,##__VA_ARGS__;a,__VA_ARGS__;#__VA_ARGS__\nv(1)v(1,)v(1,2,3)v()v(,)\n",
    "#define w(...) f(0,##__VA_ARGS__)\nw() w(1) w(1,2)\n#define n(r...) [r|#r]\nn() n(1, 2)\n",
    "#define e(f, ...) printf(f, ## __VA_ARGS__)\ne(\"a\") e(\"a\",) e(\"%d\", 1)\n",
    "#define A 1\n#define w(x,...) x ## __VA_ARGS__ A\nw(A,A) w(,A) w(A,)\n",
    // Blanks.
    "#define plus +\n#define eq =\n+plus -eq plus+ plusplus plus plus eq eq eq== -plus\n",
    "#define f(x) x\n-f(-) +f(+) &f(&) |f(|) <f(<) f(<)< :f(:) .f(.) .f(1) 1f(2) 1f(a) af(b) a f(b)c f(a)f(b)\n",
    "#define E\n#define Q ?\n#define B !\nc Q? x; c?E?x; c BE! y; E; aE b E c;Q ?;B!B\n",
    "#define s(x) #x\ns( a  b ) s(a+b) s( a + b ) s(\"a\\n\" 'b') s(\\) s(\\\\) s(@) s('\"') s()\n",
    "#define s(x) #x\n#define t(x) s(x)\n#define E\n#define P a  b\nt(P) t(E) t(a E b) t(aEb) t( -E- ) t((E)) s(E P)\n",
    "#define s(x) a#x b# x#x\ns(1) s(a)s(b)\n#define k(x,y) x#y\nk(a,b)k(a,)\n",
    "#define m(x) [x]x( x )x\nm(a)m()m( a )m(-)-m(+)+\n",
    "#define o() ( )\n#define l (\no()l)o ()o( )\n",
    // Numbers and strange tokens.
    "#define N 3\n1..N 1 .. N 0x1e+N 1.N N.N N..1 .1N 1e+N 1e N\n",
    "#define a 1\n\"a\" 'a' L\"a\" L'a' a\"a\" @a a@a `a` $a a$ \\a\n",
    "don't use a macro here\n#define t 1\nit's t\n\"open t\nt 'q' t\n",
    "#define c ??\n#define i !!\nq??x q??[x] q?<x> q!!y c i <> [] :: -> --> <: :> <% %> %: P[0]@l\n",
    "a/**/b/* c\nd */e // f \\\ng\nh \"/*\" '//' /* \" */ i // '\nj /\\\n* k *\\\n/ l\n",
    "#def\\\nine LO\\\nNG 1 \\\n  + 2\nL\\\nONG \"a\\\nb\" \\  \nx\n",
    "#define f(x) x\nf(a /* , */ b // )\n c) f((a,b)) f((,)) f(\"),(\") f('(')\n",
    // Directives.
    "%: define A 1\n # /* x */ define /* y */ B /* z\n z */ 2\n#\n# // nothing\nA B %:A #A A#B\n",
    "#define f(x) x\nf(1\n#define A 2\n#ifdef A\n A\n#else\n 3\n#endif\n#undef A\n A)\nA f\n#define B 4\n(B)\n",
    "#define f(x) x\nf\n#undef f\n(1) f(2)\n",
    "#if 0\nit's /* not closed?\n*/ \"\n#else\nyes\n#endif\n",
    "#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 0\nc\n#elif 1\nd\n#elif 1\ne\n#else\nf\n#endif\n",
    "#if 0\n#elifdef X\na\n#elifndef X\nb\n#endif\n#ifndef X\nc\n#endif\n#if 1\nd\n#elif 1/0\n#endif\n",
    "#if 0\n#foo\n#else junk\n#endif junk\n#ifdef a b\n#endif\n#undef a b\n#pragma x\n#ident \"x\"\n#line 4\n__LINE__\n",
    "#define D defined(X)\n#define X 1\n#if D && defined X && !defined Y && defined(X)\na\n#endif\n",
    "#define f(x) x+__LINE__\nf(__LINE__) f(\n__LINE__\n) __LINE__\n# 7 \"y.c\"\n__LINE__ __FILE__\n#line 9\n__LINE__ __FILE__\n",
    "__COUNTER__ __COUNTER__ __INCLUDE_LEVEL__ __STDC__ __STDC_VERSION__ __FILE__\n#define L __LINE__\nL L\n",
    "#define X 1\n#define X 2\nX\n#undef X\n#undef X\nX\n#define X+1\nX\n",
    "#define EMPTY\n#define x() 1\nx EMPTY () x EMPTY EMPTY\n() x\n",
    "#define f(x,y) x/y\nf(1,2)f(,)f((1,2),3)f(f(1,2),f(3,4))\n",
    "#define p(x,y) x##y\np(a,b)p(1,2)p(.,5)p(<,<=)p(L,'a')p(,)p(-,>)p(a,1)p(p,p)(1,2)\n",
    "#define AA BB\n#define BB 7\n#define p(x,y) x##y\n#define q(x,y) p(x,y)\n#define A A\np(A,A) q(A,A) p(B,B)\n",
    // Errors on both sides.
    "#define f(x,y) x\nf(1) z\n",
    "#define f(x,y) x\nf(1,2,3) z\n",
    "#define f() x\nf(1)\n",
    "#define f(x) x\nf(1\n",
    "#define c(a,b) a##b\nc(+,-) z\n",
    "#define c(a,b) a##b\nc(/,/) z\n",
    "#else\n",
    "#elif 1\n",
    "#endif\n",
    "#if 1\n#else\n#else\n#endif\n",
    "#if 1\n",
    "#foo\n",
    "a /* open\n",
    "#error no\n",
    "#include \"there-is-no-such-file\"\n",
    "#include\n",
    "#include x\n",
    "#line x\n",
    "#line 1 x\n",
    "#define\n",
    "#define 3\n",
    "#define defined\n",
    "#undef defined\n",
    "#ifdef\n#endif\n",
    "#ifndef 3\n#endif\n",
    "#define f(x,x) 1\n",
    "#define f(x 1\n",
    "#define f(x,\n",
    "#define f(x,) 1\n",
    "#define f(1) 1\n",
    "#define f(...,x) 1\n",
    "#define f(x) #y\n",
    "#define f(x) x#\n",
    "#define f(x) x##\n",
    "#define f ##x\n",
];

#[test]
fn snippets_come_out_as_from_gcc() {
    if !gcc_is_there() {
        return;
    }
    for snippet in SNIPPETS {
        compare(snippet, if snippet.contains("(\n") { Tokens } else { Blanks });
    }
}

/// Expressions of `#if` and whether gcc accepts them are gcc's to say.
const EXPRESSIONS: &[&str] = &[
    "1",
    "0",
    "-1",
    "!0",
    "~0",
    "1+2*3==7",
    "(1+2)*3==9",
    "7/2==3",
    "-7/2==-3",
    "-7%3==-1",
    "1<<3==8",
    "1 << -1",
    "-8>>1==-4",
    "1<2",
    "2<=1",
    "-1>0u",
    "-1 < 0",
    "1==1u",
    "(0?1:1u)-2>0",
    "1?2:3",
    "0?2:0",
    "1?0?1:0:1",
    "0&&1/0",
    "1||1/0",
    "0?1/0:2",
    "1?2:1/0",
    "1,0",
    "0,1",
    "'a'==97",
    "'\\0'",
    "'\\n'==10",
    "'ab'==24930",
    "'\\377'<0",
    "'\\xff'==-1",
    "L'a'==97",
    "0x10==16",
    "010==8",
    "0b11==3",
    "10L==10",
    "10ull==10",
    "1u-2>0",
    "9223372036854775807+1<0",
    "18446744073709551615==-1",
    "0x8000000000000000>0",
    "0xffffffffffffffff==-1",
    "x",
    "!x",
    "x==y",
    "defined x",
    "defined(x)||1",
    "!defined(x)",
    "true",
    "1 ? 2",
    "1 : 2",
    "~",
    "(1",
    "1)",
    "1 2",
    "",
    "1/0",
    "1%0",
    "1=1",
    "\"a\"",
    "1.0",
    "1e3",
    "08",
    "1x",
    "''",
    "defined",
    "defined(",
    "defined(x",
    "defined 3",
    "1++",
    "++1",
    "+ +1",
    "- -1",
    "1+-1",
    "1&&",
    "&&1",
    "()",
    "(())",
    "1 @ 2",
    "1 # 2",
    "!!!1",
    "1 == 1 == 1",
    "3 > 2 > 1",
    "1 | 2 ^ 3 & 4",
    "6 & 3 == 2",
    "2 + 3 << 1 == 10",
    "1 ? 1,0 : 1",
    "(1, 0)",
    "x(1)",
    "0 && (1",
    "1 || 2 2",
    "1/0 && 0",
    "99999999999999999999",
    "0xg",
    "-9223372036854775807-1 < 0",
    "(-9223372036854775807-1)/-1",
    "(-9223372036854775807-1)%-1",
    "1 >> 70",
    "1 << 70",
    "1 >> 64u",
    "sizeof(int)",
    "1 ?: 2",
    "[1]",
    "{1}",
];

#[test]
fn expressions_have_the_value_gcc_gives_them() {
    if !gcc_is_there() {
        return;
    }
    for expression in EXPRESSIONS {
        compare(&format!("#if {expression}\nyes\n#else\nno\n#endif\n"), Blanks);
    }
}
