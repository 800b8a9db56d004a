//! Any text ends in an answer or in errors: mutated models, deep nesting, exploding inlines, long input.

use std::time::Instant;

use promela::resolve::read;

use crate::support::{errors, packaged_models, shown};

/// xorshift; good enough to break texts.
struct Random(u64);

impl Random {
    fn next(&mut self, below: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % below.max(1) as u64) as usize
    }
}

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ":",
    "::",
    "->",
    "if",
    "fi",
    "do",
    "od",
    "atomic",
    "d_step",
    "else",
    "unless",
    "inline f(x) { x = x + f }",
    "f(",
    "x",
    "\"",
    "'",
    "/*",
    "#",
    "\u{e9}",
    "\0",
    "99999999999999999999",
    "typedef T { T t; byte b[100000] };",
    "run P(",
    "!",
    "?",
    "??",
    "<",
    ">",
    "eval(",
    "@",
    "P[0]@L",
    "L:",
    "goto L",
    "for (i : 0 .. 3) {",
    "select (i : 1 .. 2)",
    "mtype = {",
    "chan c = [1] of {",
    "ltl {",
    "[]",
    "never {",
    "byte",
    "_",
    "_pid",
    "return",
    "c_code {",
    "-",
    "~",
    ".",
    "..",
    ",",
    "=",
    "++",
    "break",
];

/// A model with a few parts removed, doubled, exchanged or put in.
fn mutated(text: &str, random: &mut Random) -> String {
    let mut words: Vec<&str> = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_').collect();
    for _ in 0..1 + random.next(6) {
        let at = random.next(words.len());
        match random.next(4) {
            0 => drop(words.remove(at.min(words.len().saturating_sub(1)))),
            1 => words.insert(at, PIECES[random.next(PIECES.len())]),
            2 => {
                let other = random.next(words.len());
                words.swap(at, other);
            }
            _ => {
                let end = (at + random.next(40)).min(words.len());
                let copy: Vec<_> = words[at..end].to_vec();
                let target = random.next(words.len());
                words.splice(target..target, copy);
            }
        }
        if words.is_empty() {
            break;
        }
    }
    words.concat()
}

#[test]
fn mutated_models_never_panic() {
    let seed = testkit::seed();
    let mut random = Random(seed.max(1));
    let models = packaged_models();
    if models.is_empty() {
        return;
    }
    let mut sound = 0;
    for _ in 0..6000 {
        let text = mutated(&models[random.next(models.len())].1, &mut random);
        let (program, diagnostics) = read(&text);
        sound += usize::from(program.is_some());
        assert_eq!(program.is_none(), errors(&diagnostics) > 0, "{text}");
        for diagnostic in &diagnostics {
            assert!(diagnostic.span.end <= text.len(), "{text}");
            assert!(text.is_char_boundary(diagnostic.span.start), "{text}");
            assert!(text.is_char_boundary(diagnostic.span.end), "{text}");
        }
    }
    println!("{sound} of 6000 mutated models are still models");
}

/// The only error of a text.
fn only_error(text: &str) -> String {
    let (_, diagnostics) = read(text);
    let found: Vec<_> = diagnostics.iter().map(|diagnostic| shown(text, diagnostic)).collect();
    assert_eq!(found.len(), 1, "{:#?}", &found[..found.len().min(5)]);
    found[0].clone()
}

#[test]
fn deep_nesting_is_an_error() {
    let deep = 100_000;
    let nested = |open: &str, close: &str| format!("{}x{}", open.repeat(deep), close.repeat(deep));
    for text in [
        format!("byte x; init {{ x = {} }}", nested("(", ")")),
        format!("byte x; init {{ x = {} }}", nested("! ", "")),
        format!("byte x; init {{ x = {} }}", nested("- ", "")),
        format!("byte x; init {{ x = {} }}", nested("x[", "]")),
        format!("byte x; init {{ {} }}", nested("{ ", "}")),
        format!("byte x; init {{ {} }}", nested("if :: ", " fi")),
        format!("byte x; init {{ {} }}", nested("atomic { ", "}")),
        format!("chan c; byte x; init {{ c ? {} }}", nested("(", ")")),
        format!("chan c; byte x; init {{ c ? {} }}", nested("x(", ")")),
        format!("byte x; init {{ {} }}", nested("for (x : 1 .. 2) {", "}")),
        format!("byte x; ltl {{ {} }} init {{ skip }}", nested("[]", "")),
        format!("byte x; init {{ x = {} }}", nested("(x -> 1 : ", ")")),
    ] {
        let error = only_error(&text);
        assert!(error.contains("nested more than"), "{error}");
    }
    let chain = format!("byte x; init {{ x = x{} }}", " + x".repeat(deep));
    assert!(only_error(&chain).contains("operators in a row"));
    // What is allowed is handled.
    let within = format!(
        "byte x; init {{ x = {}x{} ; x = x{} }}",
        "(".repeat(150),
        ")".repeat(150),
        " + x".repeat(900)
    );
    assert!(read(&within).0.is_some());
}

#[test]
fn inlines_that_explode_are_an_error() {
    let mut doubling = String::from("byte x; inline f0() { x = 1 }\n");
    for level in 1..31 {
        doubling += &format!("inline f{level}() {{ f{}(); f{}() }}\n", level - 1, level - 1);
    }
    doubling += "init { f30() }\n";
    assert!(only_error(&doubling).contains("the inlines expand to more than"));
    let mut growing = String::from("byte x; inline f0(a) { x = a }\n");
    for level in 1..31 {
        growing += &format!("inline f{level}(a) {{ f{}(a - a) }}\n", level - 1);
    }
    growing += "init { f30(x) }\n";
    let (_, diagnostics) = read(&growing);
    assert!(errors(&diagnostics) == 1, "{diagnostics:?}");
    let mut deep = String::from("byte x; inline f0() { x = 1 }\n");
    for level in 1..100 {
        deep += &format!("inline f{level}() {{ f{}() }}\n", level - 1);
    }
    deep += "init { f99() }\n";
    assert!(only_error(&deep).contains("more than 32 levels deep"));
}

#[test]
fn sizes_out_of_proportion_are_errors() {
    for (text, part) in [
        ("byte x[2000000000]; init { skip }", "elements"),
        (
            "typedef A { byte x[1000] }; typedef B { A a[1000] }; typedef C { B b[1000] }; C c; init { skip }",
            "elements",
        ),
        ("chan c = [2000000000] of { byte }; init { skip }", "capacity"),
        ("typedef A { byte x[100000] }; chan c = [1] of { A }; init { skip }", "parts"),
        ("active [2000000000] proctype P() { skip }", "instances"),
    ] {
        assert!(only_error(text).contains(part), "{text}");
    }
    let mut typedefs = String::from("typedef R0 { byte x };\n");
    for level in 1..1000 {
        typedefs += &format!("typedef R{level} {{ R{} x }};\n", level - 1);
    }
    typedefs += "init { skip }";
    assert!(errors(&read(&typedefs).1) > 0);
}

/// Ten times the text takes about ten times as long, not a hundred times.
#[test]
fn long_texts_take_linear_time() {
    let model = |size: usize| {
        let mut text = String::from(
            "byte x; chan c = [1] of { byte }; inline f(a) { byte l; l = a; goto M; M: x = l }\ninit {\n",
        );
        for at in 0..size {
            text += &format!("  L{at}: if :: x == {at} -> f(x + 1) :: c?x -> goto L{} :: else fi;\n", at / 2);
        }
        text += "}\n";
        for at in 0..size {
            text += &format!(
                "proctype P{at}(byte a; byte b) {{ byte v{at}; v{at} = a + b; run P{}(1, 2) }}\n",
                at / 2
            );
        }
        text
    };
    let time = |size: usize| {
        let text = model(size);
        let start = Instant::now();
        let (program, diagnostics) = read(&text);
        assert!(program.is_some(), "{}", shown(&text, &diagnostics[0]));
        start.elapsed()
    };
    time(500);
    let (short, long) = (time(1000), time(10_000));
    println!("1000: {short:?}, 10000: {long:?}");
    assert!(long < short * 60, "{short:?} {long:?}");
}
