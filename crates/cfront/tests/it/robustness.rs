//! Any text ends in a program or in errors: mutated programs, deep nesting, odd ends. None panics.

use std::time::{Duration, Instant};

use testkit::random::{Random, for_random_inputs};

use crate::support::{read, shown};

const PROGRAMS: &[&str] = &[
    include_str!("../programs/list.c"),
    include_str!("../programs/threads.c"),
    include_str!("../programs/old.c"),
    include_str!("../programs/everything.c"),
];

const PIECES: &[&str] = &[
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    ";",
    ",",
    ":",
    "?",
    "=",
    "+=",
    "->",
    ".",
    "...",
    "*",
    "&",
    "&&",
    "++",
    "-",
    "~",
    "!",
    "<<",
    "%",
    "0",
    "1",
    "0x7fffffffffffffffULL",
    "99999999999999999999999",
    "1.5f",
    "'a'",
    "'",
    "\"",
    "\"s\"",
    "\\",
    "\\\n",
    "#",
    "#pragma pack(1)\n",
    "#define x",
    "#if 1\n",
    "#endif\n",
    "/*",
    "//",
    "\0",
    "\u{e9}",
    "@",
    "`",
    "int",
    "char",
    "unsigned",
    "long",
    "double",
    "void",
    "struct",
    "union",
    "enum",
    "typedef",
    "static",
    "extern",
    "const",
    "volatile",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_BitInt(99)",
    "inline",
    "register",
    "if",
    "else",
    "while",
    "for",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "goto",
    "sizeof",
    "_Alignof",
    "_Generic(",
    "_Static_assert(",
    "__attribute__((",
    "packed",
    "aligned(",
    "__typeof__(",
    "__builtin_offsetof(",
    "__asm__(",
    "__builtin_va_arg(",
    "__extension__",
    "__label__",
    "_Alignas(",
    "_Thread_local",
    "__auto_type",
    "__int128",
    "(struct s){",
    "[0 ... 9] =",
    "({",
    "})",
    "x",
    "main",
    "f(",
    "typedef int x;",
    "struct x {",
    "int x : 3;",
    "L\"w\"",
];

/// Words, numbers, literals and single characters, with the blanks before them.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut last = ' ';
    for character in text.chars() {
        let word = |character: char| character.is_alphanumeric() || character == '_';
        if word(character) && word(last) {
            pieces.last_mut().expect("a piece before").push(character);
        } else {
            pieces.push(character.to_string());
        }
        last = character;
    }
    pieces
}

fn mutated(random: &mut Random) -> String {
    let below = |random: &mut Random, bound: usize| random.below(bound.max(1) as u32) as usize;
    let mut pieces = pieces(PROGRAMS[below(random, PROGRAMS.len())]);
    for _ in 0..random.between(1, 6) {
        let at = below(random, pieces.len());
        match random.below(6) {
            0 => _ = pieces.remove(at),
            1 | 2 => pieces.insert(at, PIECES[below(random, PIECES.len())].to_owned()),
            3 => pieces[at] = PIECES[below(random, PIECES.len())].to_owned(),
            4 => {
                let other = below(random, pieces.len());
                pieces.swap(at, other);
            }
            _ => {
                let end = (at + below(random, 20)).min(pieces.len());
                let copy: Vec<String> = pieces[at..end].to_vec();
                pieces.splice(at..at, copy);
            }
        }
        if pieces.is_empty() {
            break;
        }
    }
    pieces.concat()
}

#[test]
fn the_programs_themselves_read() {
    for text in PROGRAMS {
        let (program, diagnostics) = read(text);
        assert!(program.is_some(), "{}", shown(&diagnostics));
    }
}

#[test]
fn mutated_programs_end_in_an_answer() {
    let mut accepted = 0;
    for_random_inputs(1_500, |random| {
        let text = mutated(random);
        let (program, diagnostics) = read(&text);
        match program {
            Some(program) => {
                accepted += 1;
                program.show();
            }
            None => {
                assert!(diagnostics.iter().any(cfront::Diagnostic::is_error), "refused in silence:\n{text}")
            }
        }
        for found in &diagnostics {
            assert!(found.span.end <= found.text.len(), "{found}");
            assert_ne!(found.message, "the parser of C cannot cope with this text", "{text}");
        }
    });
    // Neither all nor none, or the mutations would be of no use.
    assert!(accepted > 20, "only {accepted} were accepted");
}

#[test]
fn sizes_beyond_all_memory_are_refused_where_they_are() {
    let (program, diagnostics) = read(
        "enum { FAR = 0x7fffffffffffffff };\nint *names[] = { [FAR] = 0 };\nint main(void) { return 0; }\n",
    );
    assert!(program.is_none());
    let [found] = &*diagnostics else { panic!("{}", shown(&diagnostics)) };
    assert_eq!(found.message, "something is larger here than any memory");
    assert_eq!(found.span.text(&found.text), "0x7fffffffffffffff");
}

#[test]
fn deep_texts_are_read_or_refused() {
    let main = |body: String| format!("int a, *p; int main(void) {{ {body}; return 0; }}");
    let deep = |piece: &str, times: usize| main(format!("a = {}a", piece.repeat(times)));
    for times in [200, 9_000, 200_000] {
        for text in [
            deep("a + ", times),
            deep("a = ", times),
            deep("a ? a : ", times),
            deep("- ", times),
            deep("(", times),
            deep("(int)", times),
            deep("*&", times),
            main("if (a) a = 1; else ".repeat(times)),
            main("while (a) ".repeat(times)),
            main("{".repeat(times)),
            main(format!("int {}q", "*".repeat(times))),
            main(format!("int q{}", "[1]".repeat(times / 10))),
            main(format!("a = p{}", "[0]".repeat(times))),
            format!("int x = {}1{}; int main(void) {{ return x; }}", "{".repeat(times), "}".repeat(times)),
        ] {
            let start = Instant::now();
            let (program, diagnostics) = read(&text);
            let opening: String = text.chars().take(80).collect();
            assert!(program.is_some() || diagnostics.iter().any(cfront::Diagnostic::is_error), "{opening}");
            assert!(start.elapsed() < Duration::from_secs(60), "{opening} took {:?}", start.elapsed());
        }
    }
}

#[test]
fn odd_ends_are_no_trouble() {
    let whole = "int main(void) { return 0; }";
    for end in ["", "\\", "\\\n", "\n\\\n", "//", "/*", "\"", "'", "#", "#define", "\u{0}", "\u{feff}", "\r"]
    {
        for text in [format!("{whole}{end}"), end.to_owned()] {
            let (program, diagnostics) = read(&text);
            assert!(program.is_some() || !diagnostics.is_empty(), "{text:?}");
        }
    }
    for length in 0..PROGRAMS[3].len() {
        if length % 7 == 0
            && let Some(text) = PROGRAMS[3].get(..length)
        {
            read(text);
        }
    }
}
