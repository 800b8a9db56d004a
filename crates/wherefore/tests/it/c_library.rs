//! What the C library returns and nobody knows beforehand is an input with all values that its specification allows,
//! in both engines.

#![allow(clippy::unwrap_used)]

use serde_json::Value;

use crate::support::{library, run, stderr};

const HEADERS: &str = "#include <assert.h>
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
";

fn report(text: &str, more: &[&str]) -> Value {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    let mut arguments = vec!["check", "t.c", "-f", "json"];
    arguments.extend(more);
    library::report(folder.path(), &arguments)
}

fn in_main(body: &str) -> String {
    format!("{HEADERS}int main(void) {{ {body} return 0; }}\n")
}

fn verdict(text: &str, engine: &str) -> String {
    report(text, &["--engine", engine])["verdict"].as_str().unwrap().to_owned()
}

/// Both engines say the same.
fn both(text: &str, expected: &str) {
    for engine in ["explicit", "sat"] {
        assert_eq!(verdict(text, engine), expected, "{engine}: {text}");
    }
}

/// A solver finds a value, and a search of all states does not say that there is none.
fn solver_finds(text: &str) {
    assert_eq!(verdict(text, "sat"), "violated", "{text}");
    assert_eq!(verdict(text, "explicit"), "unknown", "{text}");
}

#[test]
fn characters_are_all_bytes_and_the_end_of_the_file() {
    for function in ["getchar()", "getc(stdin)", "fgetc(stdin)"] {
        for value in ["'x'", "EOF", "255", "0"] {
            both(&in_main(&format!("int c = {function}; assert(c != {value});")), "violated");
        }
        both(&in_main(&format!("int c = {function}; assert(c >= EOF && c <= 255);")), "holds");
    }
    both(&in_main("int c; c = getchar(); if (c < '0' || c > '9') return 0; assert(isdigit(c));"), "holds");
    // What is known of a shorter variable is not known of the character.
    both(&in_main("signed char c = getchar(); if (c >= 0 || c < -9) return 0; assert(c != -5);"), "violated");
    both(&in_main("int c; c = getchar(); if (c > 1000) return 0; assert(c < 256);"), "holds");
}

#[test]
fn a_step_with_too_many_ways_is_left_to_the_solver() {
    solver_finds(&in_main("int c = getchar() + getchar() + getchar() + getchar(); assert(c != 600);"));
}

#[test]
fn numbers_and_times_have_the_range_of_their_specification() {
    for (call, bounds, values) in [
        ("rand()", "x >= 0 && x <= RAND_MAX", ["55", "RAND_MAX"]),
        ("random()", "x >= 0 && x <= RAND_MAX", ["55", "RAND_MAX"]),
        ("time(0)", "x >= -1", ["-1", "1700000000"]),
        ("clock()", "x >= -1", ["-1", "55"]),
        ("getpid()", "x > 0 && x <= INT_MAX", ["1", "4242"]),
    ] {
        for value in values {
            solver_finds(&in_main(&format!("long x = {call}; assert(x != {value});")));
        }
        assert_eq!(
            verdict(&in_main(&format!("long x = {call}; assert({bounds});")), "sat"),
            "holds",
            "{call}"
        );
    }
    both(&in_main("int x = rand(); if (x > 3) return 0; assert(x != 3);"), "violated");
    both(&in_main("int x = rand(); if (x > 3) return 0; assert(x >= 0);"), "holds");
}

#[test]
fn what_a_function_leaves_behind_its_argument_is_as_unknown() {
    let text = in_main("time_t t = 5; time_t u = time(&t); assert(t == u);");
    assert_eq!(verdict(&text, "sat"), "holds");
    solver_finds(&in_main("time_t t = 5; time(&t); assert(t == 5);"));
    solver_finds(&in_main("unsigned s = 5; rand_r(&s); assert(s == 5);"));
}

#[test]
fn printing_returns_what_it_may() {
    both(&in_main("int c = putchar('a'); assert(c == 'a');"), "holds");
    solver_finds(&in_main("int n = printf(\"%d\", 1); assert(n != 1);"));
    both(&in_main("if (fflush(stdout) == EOF) assert(0);"), "violated");
    both(&in_main("printf(\"%d\", 1); puts(\"\"); assert(1);"), "holds");
}

#[test]
fn they_are_given_and_told_like_other_inputs() {
    let text = in_main("int c = getchar(); int d = getchar(); assert(c != 'x' || d != EOF);");
    let found = report(&text, &["--inputs=120,-1"]);
    assert_eq!(found["verdict"], "violated");
    let steps = found["counterexample"]["steps"].as_array().unwrap();
    let inputs: Vec<&Value> = steps.iter().filter_map(|step| step["inputs"].as_array()).flatten().collect();
    assert_eq!(inputs, [120, -1]);
    assert_eq!(report(&text, &["--inputs=120,0"])["verdict"], "holds");
}

#[test]
fn a_test_gives_what_the_library_gave() {
    if std::process::Command::new("gcc").arg("--version").output().is_err() {
        assert_ne!(std::env::var("WHEREFORE_REQUIRE_TOOLS").as_deref(), Ok("1"), "there is no gcc");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text =
        in_main("printf(\"%d\", 1); int c = getc(stdin); int d = getchar(); assert(c != 'x' || d != EOF);");
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    let output = run(folder.path(), &["check", "t.c", "--emit", "c-test", "-o", "written.c"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    let mut gcc = std::process::Command::new("gcc");
    let compiled =
        gcc.args(["-Wall", "-Werror", "t.c", "written.c"]).current_dir(folder.path()).output().unwrap();
    assert!(compiled.status.success(), "{}", stderr(&compiled));
    let output = std::process::Command::new(folder.path().join("a.out")).output().unwrap();
    assert!(stderr(&output).contains("Assertion"), "{}", stderr(&output));
    std::fs::write(folder.path().join("t.c"), in_main("assert(printf(\"\") != 3);")).unwrap();
    let output = run(folder.path(), &["check", "t.c", "--emit", "c-test"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("takes inputs from `printf`"), "{}", stderr(&output));
}

/// A `main` with arguments.
fn with_words(body: &str) -> String {
    format!("{HEADERS}int main(int argc, char **argv) {{ {body} return 0; }}\n")
}

#[test]
fn the_number_of_words_is_an_input() {
    both(&with_words("if (argc != 2) return 1; assert(0);"), "violated");
    both(&with_words("assert(argc != 100);"), "violated");
    both(&with_words("assert(argc >= 1);"), "holds");
    both(&with_words("assert(argv[argc] == NULL && argv[0] != NULL);"), "holds");
    both(&with_words("if (argc > 1) assert(argv[1] == NULL);"), "violated");
    both(&with_words("int n = argc - 1; if (n == 7) assert(0);"), "violated");
    both(&with_words("switch (argc) { case 9: assert(0); }"), "violated");
    // A `main` that does not look at them has no inputs.
    both(&with_words("assert(1);"), "holds");
    assert_eq!(report(&with_words("assert(0);"), &["--inputs="])["verdict"], "violated");
}

#[test]
fn numbers_made_of_words_are_inputs() {
    solver_finds(&with_words("if (argc == 2) { int x = atoi(argv[1]); assert(x != INT_MIN); }"));
    solver_finds(&with_words(
        "if (argc == 2) { long x = strtol(argv[1], NULL, 10); assert(x != LONG_MAX); }",
    ));
    let text = "if (argc < 2) exit(1); int x = atoi(argv[1]); if (x < 1 || x > 9) return 1;";
    both(&with_words(&format!("{text} assert(x != 9);")), "violated");
    both(&with_words(&format!("{text} assert(x != 10);")), "holds");
    // A word that is not there is a null pointer.
    both(&with_words("if (argc == 1) return 0; printf(\"%d\", atoi(argv[2]));"), "violated");
}

#[test]
fn characters_of_words_are_inputs_up_to_a_length_behind_which_nothing_is_known() {
    let text = with_words("if (argc != 2) return 1; if (argv[1][0] == '-') assert(argv[1][1] != 'x');");
    assert_eq!(verdict(&text, "sat"), "violated");
    let found = report(&text, &["--inputs=2,45,120,0"]);
    assert_eq!((found["verdict"].as_str(), found["engine"].as_str()), (Some("violated"), Some("explicit")));
    // Longer words could do anything.
    let text = with_words("if (argc != 2) return 1; assert(strlen(argv[1]) < 9);");
    let found = report(&text, &["--engine", "sat"]);
    assert_eq!(found["verdict"], "unknown");
    assert!(found["reason"].as_str().unwrap().contains("longer than 8 characters"), "{}", found["reason"]);
    let found = report(&text, &["--inputs=2,1,1,1,1,1,1,1,1,1"]);
    assert_eq!(found["verdict"], "unknown");
    assert!(found["reason"].as_str().unwrap().contains("longer than 8 characters"), "{}", found["reason"]);
}

#[test]
fn one_way_that_nobody_can_tell_beside_others_is_not_forgotten() {
    let text = "extern int __VERIFIER_nondet_int(void); extern _Bool __VERIFIER_nondet_bool(void);
#include <assert.h>
int main(void) { int x = __VERIFIER_nondet_bool() ? __VERIFIER_nondet_int() : 0; assert(x != 7); return 0; }\n";
    solver_finds(text);
}

#[test]
fn what_is_read_from_files_is_an_input() {
    let reads = |body: &str| in_main(&format!("char line[8]; int x = 5, n; char c = 'c'; {body}"));
    solver_finds(&reads("if (fgets(line, 8, stdin)) assert(strcmp(line, \"ab\\n\") != 0);"));
    solver_finds(&reads("if (fgets(line, 3, stdin)) assert(strlen(line) != 2);"));
    assert_eq!(verdict(&reads("if (fgets(line, 3, stdin)) assert(strlen(line) < 3);"), "sat"), "holds");
    // Nothing keeps a line from being longer than the array.
    solver_finds(&reads("gets(line);"));
    solver_finds(&reads("n = scanf(\"%d\", &x); if (n == 1) assert(x != INT_MIN);"));
    assert_eq!(verdict(&reads("n = scanf(\"%d\", &x); assert(n == 1 || x == 5);"), "sat"), "holds");
    both(&reads("n = scanf(\"%1d %c\", &x, &c); assert(n != EOF);"), "violated");
    both(&reads("n = scanf(\"%1d %c\", &x, &c); if (n == 2) assert(x != 9 || c != 'q');"), "violated");
    both(&reads("n = scanf(\"%1d %c\", &x, &c); assert(n <= 2 && x >= 0 && x <= 9);"), "holds");
    solver_finds(&reads("if (scanf(\"%7s\", line) == 1) assert(strcmp(line, \"word\") != 0);"));
    assert_eq!(
        verdict(&reads("if (scanf(\"%3s\", line) == 1) assert(line[0] && line[1] != ' ');"), "sat"),
        "holds"
    );
    both(&reads("FILE *f = fopen(\"f\", \"r\"); assert(f != NULL);"), "violated");
    both(&reads("FILE *f = stdin; assert(f != NULL && f != stdout);"), "holds");
    both(&reads("n = getchar(); ungetc(n, stdin); x = getc(stdin); if (n != EOF) assert(x == n);"), "holds");
}

#[test]
fn numbers_of_texts_are_the_same_as_a_formula() {
    both(&in_main("char t[4]; int c = getchar(); if (c < '0' || c > '9') return 0; t[0] = '-'; t[1] = c; t[2] = '2';
                   t[3] = 0; assert(atoi(t) == -(10 * (c - '0') + 2));"), "holds");
    both(&in_main("char *end; assert(strtol(\" 0x1fz\", &end, 0) == 31 && *end == 'z');"), "holds");
    both(
        &in_main(
            "char t[] = \"a,b\"; assert(*strtok(t, \",\") == 'a'); assert(*strtok(NULL, \",\") == 'b');",
        ),
        "holds",
    );
    both(
        &in_main(
            "char *t = strdup(\"ab\"); assert(strspn(t, \"a\") == 1 && strcspn(t, \"b\") == 1); free(t);",
        ),
        "holds",
    );
}

#[test]
fn a_function_that_is_not_known_is_told_once_with_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let text = in_main("char *one = getenv(\"A\"), *two = getenv(\"B\"); assert(one || two);");
    std::fs::write(folder.path().join("t.c"), text).unwrap();
    let output = run(folder.path(), &["check", "t.c"]);
    assert_eq!(output.status.code(), Some(2));
    let told = stderr(&output);
    assert_eq!(told.matches("`getenv` is neither defined here nor known; define it").count(), 1, "{told}");
}
