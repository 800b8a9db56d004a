//! Small texts, right and wrong: what we refuse, SPIN reports as an error, and of what we accept, SPIN
//! makes a verifier.

use source::Severity;

use crate::support;
use crate::support::{shown, spin};

/// Accepted, perhaps with a warning.
const ACCEPTED: &[&str] = &[
    "byte x; */ init { x = 1 --> x = 2; */ do :: x < 3 --> x++ :: else -> break od }",
    "init { { byte x; x = 1 }; byte x; x = 2 }",
    "init { byte x = 1\nx = 2\nx == 2\ngoto L\nL: skip }",
    "proctype P(byte a, b; bit c) { skip } init { run P(1,2,1) }",
    "chan c = [1] of {byte,byte}; byte x; init { c?(x,2) }",
    "init { byte x; if :: L: x = 1 fi }",
    "init { byte x; L: { x = 1 } unless { x == 2 } }",
    "init { byte x; if :: x = 1; :: else; fi; }",
    "init { byte x; do :: x = 1 od unless x == 1; skip }",
    "init { byte x; x = 1 -> -> x = 2;; x = 3; }",
    "init { else }",
    "init { skip; else; skip }",
    "init { byte x; x = run P() } proctype P() { skip }",
    "init { byte x; x = 1 + run P() } proctype P() { skip }",
    "init { L: }",
    "init { skip }  init { skip }",
    "inline f() { g() } inline g() { skip } init { f() }",
    "chan c = [1] of {byte,byte}; init { c!1 }",
    "chan c = [1] of {byte,byte}; byte x; init { c?x }",
    "chan c = [1] of {byte,byte}; byte x,y,z; init { c?x,y,z }",
    "chan c = [1] of {byte}; byte x; init { x = c }",
    "chan c = [1] of {chan}; byte x; init { c!x }",
    "chan c = [1] of {byte}; init { c!c }",
    "byte x[3]; init { x = 1 }",
    "byte x; init { x[0] = 1 }",
    "byte x[3] = {1,2}; init { skip }",
    "byte x[3] = {1,2,3,4}; init { skip }",
    "init { byte x[3] = {1,2,3}; skip }",
    "unsigned x; init { skip }",
    "byte x : 3; init { skip }",
    "hidden byte x; init { x = 1 }",
    "init { _ = 1 }",
    "never { np_ }  init { skip }",
    "byte x; never { x = 1 }  init { skip }",
    "chan c = [1] of {byte}; never { c!1 }  init { skip }",
    "init { enabled(0) }",
    "typedef R { byte a = 3; byte b[2] = 4 }; R x; init { assert(x.a == 3) }",
    "typedef R { chan a = [1] of {byte} }; R x; init { x.a!1 }",
    "typedef R { byte a }; R x = 1; init { skip }",
    "typedef R { byte a[2] }; chan c = [1] of { R }; R x[2]; init { c!x[1]; c?x[0] }",
    "typedef R { byte a; byte b }; chan c = [1] of { R }; init { c!1,2 }",
    "typedef R { byte a; byte b }; proctype P(R x) { x.a == 1 } init { run P(1,2) }",
    "active proctype P(byte x) { x == 0 }",
    "proctype P() priority 300 { skip } init { run P() priority 0 }",
    "byte x; proctype P() provided (x > _pid) { skip } init { skip }",
    "proctype P() provided (timeout) { skip } init { skip }",
    "proctype P() { L: skip } init { P[0]@L }",
    "proctype P() { byte x; L: skip } init { P[0]:x == 1 }",
    "init { d_step { if :: skip fi } }",
    "init { d_step { do :: break od } }",
    "chan c = [0] of {byte}; init { d_step { c!1 } }",
    "init { d_step { skip unless skip } }",
    "init { byte i; for (i : 3 .. 1) { skip } }",
    "init { byte i, a[3]; for (i in a) { skip } }",
    "typedef R { byte a }; chan c = [3] of {R}; R r; init { for (r in c) { skip } }",
    "init { byte i_a; select (i_a : 5 .. 2) }",
    "chan c = [1] of {byte}; init { xr c; xs c; c!1 }",
    "init { { skip; L: skip }; { skip; L: skip }; goto L }",
    "init { if :: timeout :: else fi }",
    "byte x; init { x = timeout }",
    "ltl p { [] (x == 1) } byte x; init { skip }",
    "ltl { always (x implies eventually x) } bool x; init { skip }",
    "ltl { (x U x) W (x V !x) -> <>[]x <-> x /\\ x \\/ x } bool x; init { skip }",
    "mtype = { a b, c }; mtype:k = { d, e }; mtype:k x = d; mtype y = a; init { x = e; y = b }",
    "mtype { a, b } init { skip }",
    "byte n = 3; byte arr[n]; active [n] proctype P() { arr[_pid] = 1 }",
    "byte a[2*3+1]; chan c = [4/2] of { byte }; init { c!a[6] }",
    "init { int x = -5; x = x - -1 }",
    "init { byte x = 'a'; x = '\\n' }",
    "chan c = [1] of {byte}; init { if :: full(c) && 1 -> skip :: nempty(c) || len(c) > 1 -> skip :: empty(c) fi }",
    "byte x; init { (x -> 1 : 0); x = (x > 1 -> x : 2) }",
    "inline f(x, y) { x = y; goto L; L: skip } byte a; init { f(a, a + 1); f(a, 2) }",
    "chan c = [2] of { mtype, byte }; mtype = { m }; byte x; init { c!m(1); c?m(x); c?eval(m)(_); c??m,-1 }",
    "typedef A { byte x; }\ntypedef B { A a[2]\n byte c\n}\nB b; init { b.a[1].x = 1; b.c++ }",
    "D_proctype P() { skip } init { run P() }",
    "byte x; init { do :: x < 3 -> x++ :: else -> break od\nassert(x == 3)\n}",
    "chan c[3] = [1] of { byte }; init { c[1]!2; c[_pid]?2 }",
    "init { atomic { skip; atomic { skip } }; d_step { skip; atomic { skip; d_step { skip } } } }",
    "init { byte i; for (i : 0 .. 2) { if :: i == 1 -> break :: else fi } }",
    "inline f(x) { x++ } byte a; init { f(a) a = 1 }",
    "inline f(x) { x++ } byte a; init { f(a) unless a == 1; f(a)\nf(a) }",
    "inline f(x) { x++ } byte a; init { L: f(a); if :: f(a) :: else -> f(a) fi; do :: atomic { f(a); break } od }",
    "inline f(x) { if :: x -> skip :: else fi } byte a; init { f(a == 1 && a) }",
    "mtype = { a, b; }; chan c = [1] of { byte, mtype; }; byte x[2] = { 1, 2; }; init { c!1,a; }",
    ";;; byte x; ; init { skip };",
    "chan q = [1] of {pid, bool, short, int}; init { q!_pid,true,1,2 }",
];

/// Refused.
const REFUSED: &[&str] = &[
    "byte x; init { byte x; x = 1 }",
    "byte x; init { skip; { byte x; x = 1 } }",
    "byte x; proctype P(byte x) { x = 1 } init { skip }",
    "proctype P(byte x) { byte x; x = 1 } init { skip }",
    "init { byte x; { byte x; x = 1 } }",
    "init { { byte x; x = 1 }; x = 2 }",
    "byte P; proctype P() { skip } init { skip }",
    "mtype = {a,b}; byte a; init { skip }",
    "mtype = {a,b}; mtype = {a,c}; init { skip }",
    "mtype = {a,b}; mtype:z = {a,c}; init { a == 1 }",
    "init { x = 1; } byte x;",
    "init { }",
    "init { ; skip }",
    "proctype P() { skip }",
    "byte x, x; init { skip }",
    "inline f() { f() } init { f() }",
    "inline f(x) { skip } init { f() }",
    "init { if fi }",
    "init { x: skip; goto y }",
    "proctype P(byte a, byte b) { skip } init { run P(1,2) }",
    "proctype P(byte a; byte b;) { skip } init { run P(1,2) }",
    "chan c = [1] of {byte}; init { !full(c) }",
    "chan c = [1] of {byte}; byte x; init { x = 1 + full(c) }",
    "chan c = [1] of {byte,byte}; init { c!1,2(3) }",
    "chan c = [1] of {byte,byte}; init { c!(1,2) }",
    "init { byte x; atomic { L: x = 1 } }",
    "init { byte x; { L: x = 1 } }",
    "init { byte x; x = 1 unless x = 2 unless x = 3 }",
    "init { byte x; L: x = 1 unless x = 2 }",
    "init { byte x; x = 1 unless L: x = 2 }",
    "init { if :: else :: else fi }",
    "init { break }",
    "init { (run P() > 0 && run P()) } proctype P() { skip }",
    "init { !run P() } proctype P() { skip }",
    "init { run P(1) } proctype P() { skip }",
    "init { run P() } proctype P(byte x) { skip }",
    "init { d_step { goto L }; L: skip }",
    "init { goto L; d_step { skip; L: skip } }",
    "init { do :: d_step { skip; break } od }",
    "chan c = [1] of {byte,byte}; init { c!1,2,3 }",
    "chan c = [1] of {byte,byte}; byte x; init { c?x,x }",
    "chan c = [1] of {byte}; byte x; init { x!1 }",
    "chan c = [1] of {byte}; byte x; init { x?1 }",
    "chan c = [1] of {byte}; init { c = 1 }",
    "chan c = [1] of {byte}; byte x; init { x = c + 1 }",
    "chan c = [1] of {byte}; init { c++ }",
    "byte x = [1] of {byte}; init { skip }",
    "byte x[0]; init { skip }",
    "byte x; init { x[1] = 1 }",
    "byte x = {1,2}; init { skip }",
    "init { skip; byte x[3] = {1,2,3}; skip }",
    "init { skip; chan c = [1] of {byte}; c!1 }",
    "unsigned x : 33; init { skip }",
    "hidden bit x; init { x = 1 }",
    "init { hidden byte x; x = 1 }",
    "hidden chan c = [1] of {byte}; init { skip }",
    "init { _pid = 1 }",
    "init { _nr_pr = 1 }",
    "init { _last = 1 }",
    "byte x; init { x = _ }",
    "init { np_ }",
    "never { x = 1 } byte x;  init { skip }",
    "typedef R { byte a; byte b }; R x, y; init { x = y }",
    "typedef R { byte a; byte b }; R x; init { x.c = 1 }",
    "typedef R { byte a; byte b }; R x; init { x == 1 }",
    "typedef R { byte a; byte b }; byte x; init { x.a = 1 }",
    "typedef R { byte a; byte a }; init { skip }",
    "typedef R { byte a }; typedef R { byte b }; init { skip }",
    "typedef R { R a }; init { skip }",
    "typedef Q { byte a }; typedef R { Q a[2] }; chan c = [1] of { R }; R x; init { c!x }",
    "proctype P(byte x[2]) { skip } init { skip }",
    "proctype P(byte x = 2) { skip } init { skip }",
    "active [300] proctype P() { skip }",
    "active [0] proctype P() { skip }",
    "byte x; proctype P() provided (run P() > 0) { skip } init { skip }",
    "proctype P(byte x) provided (x > 0) { skip } init { skip }",
    "init { run Q() }",
    "proctype P() { skip } proctype P() { skip } init { run P() }",
    "proctype P() { skip } byte x; init { x = P } ",
    "proctype P() { L: skip } init { P[0]@M }",
    "proctype P() { skip } init { d_step { run P() } }",
    "init { byte i[2]; for (i[0] : 1 .. 2) { skip } }",
    "typedef R { byte a }; R r; init { for (r.a : 1 .. 2) { skip } }",
    "init { byte i, a; for (i in a) { skip } }",
    "chan c = [3] of {byte}; init { byte i; for (i in c) { skip } }",
    "init { byte i; select (i : 5 .. 2) }",
    "chan c = [1] of {byte}; byte x; trace { x = 1 } init { skip }",
    "byte c; init { xr c; skip }",
    "init { L: skip; L: skip }",
    "byte x; init { x = 1 y }",
    "byte x; init { x = 1 x = 2 }",
    "byte x; init { (x = 1) }",
    "byte x; init { x = 1\n+ 2 }",
    "byte x; init { if x == 1 -> skip fi }",
    "byte x; init { do :: x++ }",
    "init { skip",
    "init { assert() }",
    "init { goto }",
    "proctype { skip }",
    "byte x y; init { skip }",
    "chan c = [1] of byte; init { skip }",
    "chan c = [n] of {byte}; init { skip }",
    "chan c = [1] of {unsigned}; init { skip }",
    "mtype = { a, 1 }; init { skip }",
    "mtype = { a }; init { a = 1 }",
    "init { L: byte x; skip }",
    "init { return 1 }",
    "init { printf(3) }",
    "init { byte x = run P() } proctype P() { skip }",
    "chan c = [1] of {byte}; proctype P() { skip } init { c!run P() }",
    "init { byte x; x = 3 +; skip }",
    "init { byte x; x = x--1 }",
    "init { byte x; x == (1; skip }",
    "init { mtype = { a }; skip }",
    "Foo x; init { skip }",
    "typedef R { byte a[2] }; R r; proctype P(R x) { skip } init { run P(r) }",
    "typedef R { byte b }; mtype = { b }; R r; init { r.b = 1 }",
    "init { f(1) }",
];

/// Accepted here, while SPIN 6.5.2 refuses it: a loop over an array in a record, which later versions
/// of SPIN allow.
#[test]
fn loops_run_over_arrays_in_records() {
    let text = "typedef R { byte a[3] }; R r; byte i; init { for (i in r.a) { skip } }";
    let (program, diagnostics) = promela::resolve::read(text);
    assert!(program.is_some(), "{diagnostics:?}");
}

#[test]
fn verdicts_agree_with_spin() {
    let mut wrong = Vec::new();
    let cases = ACCEPTED.iter().map(|text| (*text, true)).chain(REFUSED.iter().map(|text| (*text, false)));
    let mut without_spin = false;
    for (text, accepted) in cases {
        let (program, diagnostics) = promela::resolve::read(text);
        let lines: Vec<_> = diagnostics.iter().map(|diagnostic| shown(text, diagnostic)).collect();
        if program.is_some() != accepted {
            wrong.push(format!(
                "expected {} of: {text}\n    {}",
                if accepted { "acceptance" } else { "refusal" },
                lines.join("\n    ")
            ));
        }
        let Some(run) = spin(text, &[]) else {
            without_spin = true;
            continue;
        };
        if accepted && run.moves.is_empty() || !accepted && !run.refused() {
            wrong.push(format!("SPIN differs on: {text}\n    {}", run.printed));
        }
    }
    if without_spin {
        println!("skipped: no spin to compare with");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Errors have a place in the text, and no text has more of them than it can hold.
#[test]
fn diagnostics_point_into_the_text() {
    for text in REFUSED.iter().chain(ACCEPTED) {
        for diagnostic in promela::resolve::read(text).1 {
            assert!(
                diagnostic.span.start <= diagnostic.span.end && diagnostic.span.end <= text.len(),
                "{text}"
            );
            assert!(!diagnostic.message.is_empty() && !diagnostic.message.ends_with('.'));
        }
    }
}

#[test]
fn several_errors_are_found_in_one_run() {
    let text = "byte x;\ninit {\n  x = ;\n  y = 1;\n  if :: x -> x+ :: else fi;\n  x = 2\n}\nproctype P( { skip }\nproctype Q() { x = (1; skip }\n";
    let (_, diagnostics) = promela::resolve::read(text);
    let lines: Vec<_> = diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .map(|diagnostic| shown(text, diagnostic))
        .collect();
    assert_eq!(lines.len(), 4, "{lines:#?}");
    let text =
        "byte x;\ninit {\n  y = 1;\n  x = z;\n  goto nowhere;\n  run P(1, 2)\n}\nproctype P() { break }\n";
    let (_, diagnostics) = promela::resolve::read(text);
    assert_eq!(support::errors(&diagnostics), 5, "{diagnostics:#?}");
}

#[test]
fn embedded_c_is_refused_where_it_stands() {
    let text = "byte x;\nc_decl { int y; }\ninit {\n  c_code [x > 1] { now.x = '}' \"}\"; };\n  if :: c_expr { now.x } -> skip :: else fi\n}\nc_state \"int z\" \"Global\"\n";
    let (_, diagnostics) = promela::resolve::read(text);
    let lines: Vec<_> = diagnostics.iter().map(|diagnostic| shown(text, diagnostic)).collect();
    assert!(lines.iter().all(|line| line.contains("embedded C code")), "{lines:#?}");
    assert_eq!(lines.len(), 4, "{lines:#?}");
}
