//! What the catalogues hold for small texts, and what is true of them for all texts.
#![allow(clippy::unwrap_used)]

use edits::{Candidate, Hint, Language, Operator, Wish, lines_of_units, mutations, repairs};
use proptest::prelude::*;

const PROGRAM: &str = "\
int total, limit = 3;
static pthread_mutex_t lock;

int add(int n, int m)
{
    if (n < m && total != 0)
        total = total + n;
    else
        total = m;
    pthread_mutex_lock(&lock);
    limit--;
    pthread_mutex_unlock(&lock);
    if (n == 0)
        pthread_cond_wait(&ready, &lock);
    assert(total < limit);
    return total;
}
";

const MODEL: &str = "\
mtype = { red, green };
chan left = [1] of { mtype };
chan right = [N-1] of { mtype };
byte x, y;

active proctype P()
{
    do
    :: atomic { x < 2 -> x++ }
    :: left?red -> right!green; y = x
    :: else -> assert(x <= 2)
    od;
    if
    :: x == y -> wait()
    :: else
    fi
}

ltl p { [] (x < 2) }
";

/// The line of a candidate, as it is after the change, without blanks around it.
fn lines(text: &str, candidates: &[Candidate], operator: Operator) -> Vec<String> {
    let of_operator = candidates.iter().filter(|candidate| candidate.operator == operator);
    let changed = of_operator.map(|candidate| {
        let after = candidate.patch.apply(text);
        let lines = candidate.patch.lines(text);
        let shown = lines.iter().map(|line| after.lines().nth(*line as usize - 1).unwrap().trim());
        shown.collect::<Vec<_>>().join(" / ")
    });
    changed.collect()
}

#[track_caller]
fn assert_has(text: &str, candidates: &[Candidate], operator: Operator, wanted: &[&str]) {
    let found = lines(text, candidates, operator);
    for wanted in wanted {
        assert!(found.iter().any(|line| line == wanted), "{operator:?}: no `{wanted}` in {found:#?}");
    }
}

#[test]
fn lines_of_functions_and_processes_by_their_names() {
    assert_eq!(lines_of_units(PROGRAM, Language::C, |name| name == "add"), (4..=17).collect::<Vec<_>>());
    let process = lines_of_units(MODEL, Language::Promela, |name| name == "P");
    assert_eq!(process.first(), Some(&6));
    assert!(lines_of_units(MODEL, Language::Promela, |name| name == "Q").is_empty());
    let start = "byte x;\ninit {\n  x = 1\n}\n";
    assert_eq!(lines_of_units(start, Language::Promela, |name| name == "init"), [2, 3, 4]);
    let old = "int total;\nint sum(n, list)\nint n;\nchar *list[];\n{\n  return n;\n}\nint f(void);\nstruct s { int n; } all;\n";
    assert_eq!(lines_of_units(old, Language::C, |_| true), [2, 3, 4, 5, 6, 7]);
    assert_eq!(lines_of_units(old, Language::C, |name| name == "sum"), [2, 3, 4, 5, 6, 7]);
}

#[test]
fn statements_are_exchanged_but_no_lock_with_its_unlock() {
    let text = "void f(void)\n{\n    pthread_mutex_lock(&lock);\n    limit--;\n    pthread_mutex_unlock(&lock);\n}\n";
    let wish = Wish { lines: &[3, 4, 5], most: 1_000, is_concurrent: true, ..Wish::default() };
    let found = repairs(text, Language::C, &wish);
    let swapped = found.iter().filter(|one| one.operator == Operator::Swapped);
    let told: Vec<String> = swapped.map(|one| report::tell::change(&one.change)).collect();
    assert_eq!(
        told,
        ["`limit--` before `pthread_mutex_lock(&lock)`", "`pthread_mutex_unlock(&lock)` before `limit--`"]
    );
    let text = "void f(void)\n{\n    a = 1;\n    b = a;\n    c = b;\n}\n";
    let found = repairs(text, Language::C, &Wish { lines: &[3, 4, 5], most: 1_000, ..Wish::default() });
    assert!(
        found.iter().any(|one| report::tell::change(&one.change) == "`a = 1` and `c = b` exchanged"),
        "{found:#?}"
    );
}

#[test]
fn nothing_is_assumed_in_addition() {
    let text = "static void assume_abort_if_not(int c) { if (!c) abort(); }\nint main(void)\n{\n    int n = input();\n    \
                assume_abort_if_not(n >= 0);\n    n = n + 1;\n    check(n);\n    return 0;\n}\n";
    let wish = Wish { lines: &[4, 5, 6, 7, 8], most: 1_000, ..Wish::default() };
    let found = repairs(text, Language::C, &wish);
    assert!(found.iter().any(|one| one.line == 6), "{found:#?}");
    let changed: Vec<String> = found.iter().map(|one| one.patch.apply(text)).collect();
    assert!(changed.iter().all(|text| text.matches("assume_abort_if_not").count() == 2), "{changed:#?}");
}

#[test]
fn a_variable_has_no_value_in_its_own_declaration() {
    let text = "int f(int n, int m)\n{\n    int sum = n;\n    return sum;\n}\n";
    let wish = Wish { lines: &[3, 4], most: 1_000, ..Wish::default() };
    let found = lines(text, &repairs(text, Language::C, &wish), Operator::Variable);
    assert!(found.contains(&"int sum = m;".to_owned()), "{found:#?}");
    assert!(!found.contains(&"int sum = sum;".to_owned()), "{found:#?}");
}

#[test]
fn faults_of_a_program() {
    let found = mutations(PROGRAM, Language::C);
    let has = |operator, wanted: &[&str]| assert_has(PROGRAM, &found, operator, wanted);
    has(Operator::Comparison, &["if (n <= m && total != 0)", "if (n < m && total == 0)", "if (n != 0)"]);
    has(Operator::Connective, &["if (n < m || total != 0)"]);
    has(Operator::Arithmetic, &["total = total - n;", "limit++;"]);
    has(Operator::Constant, &["if (n < m && total != 1)", "int total, limit = 4;", "int total, limit = 2;"]);
    has(Operator::Variable, &["limit = total + n;", "total = total + m;", "return limit;"]);
    has(Operator::Negation, &["if (!(n < m && total != 0))"]);
    has(Operator::Condition, &["if (n < m)", "if (total != 0)"]);
    has(Operator::Dropped, &[";"]);
    has(Operator::Unprotected, &["; / ;"]);
    let checks = found.iter().filter(|candidate| candidate.line == 15).count();
    assert_eq!(checks, 0, "assertions stay as they are");
}

#[test]
fn faults_of_a_model() {
    let found = mutations(MODEL, Language::Promela);
    let has = |operator, wanted: &[&str]| assert_has(MODEL, &found, operator, wanted);
    has(Operator::Comparison, &[":: atomic { x <= 2 -> x++ }"]);
    has(Operator::Negation, &[":: atomic { !(x < 2) -> x++ }"]);
    has(Operator::Unprotected, &[":: { x < 2 -> x++ }"]);
    has(Operator::LostMessage, &[":: left?red -> skip; y = x"]);
    has(Operator::WrongChannel, &[":: right?red -> right!green; y = x", ":: left?red -> left!green; y = x"]);
    has(Operator::Variable, &[":: left?green -> right!green; y = x", ":: left?red -> right!green; x = x"]);
    has(Operator::Swapped, &[":: left?red -> y = x; right!green"]);
    assert!(
        found.iter().all(|candidate| candidate.line < 17 && candidate.line != 11),
        "properties stay as they are"
    );
}

fn wish<'w>(lines: &'w [u64], hints: &'w [Hint]) -> Wish<'w> {
    Wish { lines, hints, missing: None, is_concurrent: true, most: 10_000 }
}

#[test]
fn repairs_of_a_program() {
    let hints = [Hint { line: 9, statement: "total = n".to_owned(), is_missing: false, instead_of: None }];
    let found = repairs(PROGRAM, Language::C, &wish(&[6, 7, 9, 11, 13], &hints));
    let has = |operator, wanted: &[&str]| assert_has(PROGRAM, &found, operator, wanted);
    has(Operator::Suggested, &["total = n;"]);
    has(Operator::Rechecked, &["while (n == 0)"]);
    has(Operator::OtherConstant, &["if (n == 3)"]);
    has(Operator::Condition, &["if ((n < m && total != 0) || n == 0)", "if (n < m && total != 0 && n == 0)"]);
    has(Operator::Guarded, &["if (n == 0) total = m;"]);
    has(Operator::Inserted, &["{ limit--; total = m; }", "limit--; limit--;"]);
    assert_eq!(found[0].operator, Operator::Suggested, "what was asked for comes first");
    let one = repairs(PROGRAM, Language::C, &Wish { most: 1, ..wish(&[6], &[]) });
    assert_eq!(one.len(), 1);
}

#[test]
fn what_is_missing_and_what_is_given_back() {
    let text = "void f(int *p) {\n    int a = *p; if (a) { return; }\n    free(p);\n    g(a);\n    assert(a < *p);\n}\n";
    let plain = repairs(text, Language::C, &wish(&[3, 4, 5], &[]));
    let at = |found: &[Candidate], what: &str| {
        found.iter().position(|one| report::tell::change(&one.change) == what).unwrap()
    };
    assert!(
        at(&plain, "no `g(a)`") < at(&plain, "no `free(p)`"),
        "a leak is no repair that one would think of"
    );
    assert!(at(&plain, "`g(a)` before `free(p)`") < at(&plain, "no `free(p)`"));
    let missing = repairs(text, Language::C, &Wish { missing: Some(5), ..wish(&[3, 4, 5], &[]) });
    let insertion = "`g(a)` before `assert(a < *p)`";
    assert!(at(&missing, insertion) < at(&missing, "no `g(a)`"));
    assert!(at(&plain, insertion) > at(&plain, "no `g(a)`"));
    assert!(at(&missing, insertion) < at(&missing, "`if (a) { return; }` before `assert(a < *p)`"));
}

#[test]
fn repairs_of_a_model() {
    let found = repairs(MODEL, Language::Promela, &wish(&[10, 14], &[]));
    let has = |operator, wanted: &[&str]| assert_has(MODEL, &found, operator, wanted);
    has(Operator::Widened, &["chan left = [2] of { mtype };", "chan right = [N] of { mtype };"]);
    has(Operator::Protected, &[":: left?red -> atomic { right!green; y = x }"]);
    has(Operator::Rechecked, &["do / :: else -> break / od"]);
    has(Operator::Guarded, &[":: left?red -> right!green; atomic { x == y -> y = x }"]);
}

#[test]
fn a_lock_that_is_there_can_be_used() {
    let text = "pthread_mutex_t m;\nint n;\nvoid f(void)\n{\n    int seen = n;\n    n = seen + 1;\n}\n";
    let found = repairs(text, Language::C, &wish(&[5, 6], &[]));
    assert_has(
        text,
        &found,
        Operator::Protected,
        &["pthread_mutex_lock(&m); int seen = n; / n = seen + 1; pthread_mutex_unlock(&m);"],
    );
}

/// Pieces that make texts interesting.
fn piece() -> impl Strategy<Value = String> {
    let words = [
        "if",
        "fi",
        "do",
        "od",
        "::",
        "->",
        ";",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "x",
        "y",
        "int ",
        "chan ",
        "=",
        "==",
        "<",
        ">",
        "?",
        "!",
        "&&",
        "||",
        "1",
        "else",
        "while",
        "for",
        "atomic",
        "assert",
        "#define A 1\n",
        "#",
        "\\\n",
        "\n",
        "/*",
        "*/",
        "//",
        "\"",
        "'",
        "proctype ",
        "active ",
        "of",
        "case ",
        ":",
        "default",
        "return ",
        "ü",
        ",",
        "struct ",
        "mtype",
        "..",
        "lock",
        "wait",
        "break",
        "unless",
        "- 1",
    ];
    prop_oneof![
        proptest::sample::select(words.to_vec()).prop_map(str::to_owned),
        any::<char>().prop_map(String::from)
    ]
}

proptest! {
    #[test]
    fn every_text_is_answered_with_patches_that_keep_its_lines(pieces in proptest::collection::vec(piece(), 0..80)) {
        let inside = pieces.join(" ");
        for text in [inside.clone(), format!("int x, y;\nint f(int a) {{ {inside} }}"), format!("byte x, y; active proctype P() {{ {inside} }}")] {
            let count = text.split('\n').count() as u64;
            let all: Vec<u64> = (1..=count).collect();
            let hints = [Hint { line: 1, statement: "x = y".to_owned(), is_missing: false, instead_of: None }];
            for language in [Language::C, Language::Promela] {
                let mut found = mutations(&text, language);
                found.extend(repairs(&text, language, &wish(&all, &hints)));
                for candidate in found {
                    let changed = candidate.patch.apply(&text);
                    prop_assert_eq!(changed.split('\n').count() as u64, count);
                    prop_assert!(changed != text);
                    prop_assert!((1..=count).contains(&candidate.line));
                    prop_assert!(candidate.patch.diff(&text, "f").to_string().lines().count() > 3);
                }
            }
            for offset in 0..text.len() {
                edits::insertions(&text, offset, Some(offset % 2 == 0), "f();");
            }
        }
    }
}
