//! `--tests`: a folder with what a C program reads and what it should print is the specification.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::support::{json, run, stderr, stdout, workspace};

/// A folder with a program and its tests: what is read, and what is expected.
fn folder(program: &str, tests: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: String, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write("p.c".to_owned(), program);
    std::fs::create_dir(folder.path().join("t")).unwrap();
    for (number, (input, expected)) in tests.iter().enumerate() {
        write(format!("t/{}.in", number + 1), input);
        write(format!("t/{}.out", number + 1), expected);
    }
    folder
}

fn report(program: &str, tests: &[(&str, &str)], more: &[&str]) -> Value {
    let folder = folder(program, tests);
    json(&run(folder.path(), &[&["check", "p.c", "--tests", "t", "-f", "json"], more].concat()))
}

fn in_main(body: &str) -> String {
    format!("#include <stdio.h>\n#include <stdlib.h>\nint main(void) {{\n{body}\nreturn 0; }}\n")
}

/// What is said of the only test.
fn failing(body: &str, input: &str, expected: &str) -> String {
    let report = report(&in_main(body), &[(input, expected)], &[]);
    assert_eq!(report["verdict"], "violated", "{report:#}");
    report["tests"]["failing"][0]["what"].as_str().unwrap().to_owned()
}

fn passes(body: &str, input: &str, expected: &str) {
    let report = report(&in_main(body), &[(input, expected)], &[]);
    assert_eq!(report["verdict"], "holds", "{body}: {}", report["tests"]);
}

#[test]
fn the_example_is_explained_and_repaired() {
    let folder = workspace().join("examples/tests");
    let report = json(&run(&folder, &["parking.c", "--tests", "parking", "-f", "json"]));
    assert_eq!(report["tests"]["failing"][0]["name"], "3");
    assert_eq!(report["tests"]["explained"], "3");
    assert_eq!(report["causes"][0]["locations"][0]["line"], 26);
    every_repair_passes(&folder, "parking.c", "parking", &report);
}

/// With each repair of a report all tests pass.
fn every_repair_passes(folder: &Path, program: &str, tests: &str, report: &Value) {
    let repairs = report["repairs"].as_array().unwrap();
    assert!(!repairs.is_empty(), "{report:#}");
    for repair in repairs {
        let patched = tempfile::tempdir().unwrap();
        std::fs::copy(folder.join(program), patched.path().join(program)).unwrap();
        let mut patch = Command::new("patch");
        let patch = patch.args(["-p1", "-s"]).current_dir(patched.path()).stdin(Stdio::piped());
        let mut patch = patch.spawn().unwrap();
        patch.stdin.take().unwrap().write_all(repair["patch"].as_str().unwrap().as_bytes()).unwrap();
        assert!(patch.wait().unwrap().success());
        let tests = folder.join(tests).display().to_string();
        let checked = run(patched.path(), &["check", program, "--tests", &tests]);
        assert_eq!(checked.status.code(), Some(0), "{repair:#}: {}", stdout(&checked));
        assert!(stdout(&checked).contains("tests pass"), "{}", stdout(&checked));
    }
}

#[test]
fn the_first_difference_is_told() {
    let sum = "int a, b; scanf(\"%d %d\", &a, &b); printf(\"sum\\n%d!\\n\", a + b);";
    assert_eq!(
        failing(sum, "1 2", "sum\n13!\n"),
        "prints `3!`, should print `13!` (output line 2 of test 1)"
    );
    passes(sum, "1 2", "sum  \n3!\n\n");
    let missing = "printf(\"a\\n\");";
    assert_eq!(
        failing(missing, "", "a\nb\n"),
        "prints nothing more, should print `b` (output line 2 of test 1)"
    );
    assert_eq!(failing(missing, "", ""), "prints `a`, should print nothing more (output line 1 of test 1)");
    assert_eq!(
        failing("int x = 0; printf(\"%d\", 7 / x);", "", "0"),
        "division by zero in `printf(\"%d\", 7 / x)`: in test 1"
    );
    assert_eq!(
        failing("int i = 0; while (i >= 0) { putchar('x'); i = 1 - i; }", "", ""),
        "prints `xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx`, should print nothing more (output line 1 of \
         test 1)"
    );
    let endless = "unsigned i = 1; printf(\"x\\n\"); while (i != 0) i = i % 9 + 1;";
    assert_eq!(failing(endless, "", "x\n"), "the program goes on and on in test 1");
    let program = "int f(int x) { return f(x + 1) + 1; }\nint main(void) { return f(0); }\n";
    let found = report(program, &[("", "")], &[]);
    assert_eq!(found["tests"]["failing"][0]["what"], "the program goes on and on in test 1", "{found:#}");
}

#[test]
fn what_is_not_known_is_not_said_to_pass() {
    let program = in_main("int n; scanf(\"%d\", &n); if (n == 2) n = rand(); printf(\"%d\\n\", n);");
    let found = report(&program, &[("1", "1"), ("2", "2")], &[]);
    assert_eq!(found["verdict"], "unknown", "{found:#}");
    assert_eq!(found["tests"]["undecided"][0]["name"], "2");
    let found = report(&program, &[("1", "7"), ("2", "2")], &[]);
    assert_eq!(found["verdict"], "violated", "{found:#}");
}

#[test]
fn every_test_is_judged() {
    let program = in_main("int n; scanf(\"%d\", &n); printf(\"%d\\n\", n > 2 ? n : -n);");
    let tests = [("1", "1"), ("2", "2"), ("3", "3"), ("-4", "4")];
    let found = report(&program, &tests, &[]);
    let names = |key: &str| found["tests"][key].as_array().unwrap().clone();
    assert_eq!(names("passing"), ["3", "4"]);
    assert_eq!(names("failing").len(), 2);
    assert_eq!(found["tests"]["count"], 4);
    let output = &found["tests"]["failing"][0]["output"];
    assert_eq!(
        (&output["line"], &output["printed"], &output["expected"]),
        (&1.into(), &"-1".into(), &"1".into())
    );
    let folder = folder(&program, &tests);
    let text = stdout(&run(folder.path(), &["check", "p.c", "--tests", "t"]));
    assert!(text.contains("2 of 4 tests fail: 1 and 2, 2 pass"), "{text}");
}

#[test]
fn no_repair_breaks_a_test() {
    // To turn the comparison round mends the first test and breaks the second.
    let program = in_main("int a, b; scanf(\"%d %d\", &a, &b);\nif (a > b) a = b;\nprintf(\"%d\\n\", b);");
    let tests = [("1 2", "1"), ("2 1", "1"), ("3 3", "3"), ("0 9", "0")];
    let folder = folder(&program, &tests);
    let found = json(&run(folder.path(), &["p.c", "--tests", "t", "-f", "json"]));
    assert_eq!(found["repairs_checked"], serde_json::json!(["all 4 tests pass"]));
    every_repair_passes(folder.path(), "p.c", "t", &found);
}

#[test]
fn what_does_not_go_together_is_refused() {
    let folder = folder(&in_main("printf(\"%p\", (void *)0);"), &[("", "")]);
    let refused = |arguments: &[&str], words: &str| {
        let output = run(folder.path(), arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(stderr(&output).contains(words), "{}", stderr(&output));
    };
    refused(&["p.c", "--tests", "t"], "a format with other parts");
    refused(&["p.c", "--tests", "nowhere"], "cannot be read as a folder");
    refused(&["p.c", "--tests", "."], "has no tests");
    refused(&["p.c", "--tests", "t", "--inputs", "1"], "do not go together");
    std::fs::write(folder.path().join("m.pml"), "active proctype P() { skip }\n").unwrap();
    refused(&["m.pml", "--tests", "t"], "--tests is for C programs");
    std::fs::write(folder.path().join("s.aut"), "des (0, 1, 2)\n(0, a, 1)\n").unwrap();
    refused(&["s.aut", "--tests", "t"], "--tests");
}

#[test]
fn layouts_of_other_folders_are_read() {
    let program = "#include <stdio.h>\nint main(int argc, char **argv) { int n = 0; scanf(\"%d\", &n);\n\
                   printf(\"%d %s %d\\n\", argc, argc > 1 ? argv[1] : \"-\", n); return 0; }\n";
    let folder = folder(program, &[("5", "1 - 5\n")]);
    let write = |name: &str, text: &str| {
        let path = folder.path().join("t").join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write("2.args", "'a b' c\n");
    write("2.out", "3 a b 0\n");
    write("input07.txt", "7");
    write("output07.txt", "1 - 7");
    write("input/x.txt", "8\n");
    write("output/x.txt", "1 - 8\n");
    write("10.in", "no output\n");
    let output = run(folder.path(), &["check", "p.c", "--tests", "t", "-f", "json"]);
    assert!(stderr(&output).contains("test 10 of t has no expected output"), "{}", stderr(&output));
    let found = json(&output);
    assert_eq!(found["tests"]["passing"], serde_json::json!(["1", "2", "07", "x"]), "{}", found["tests"]);
}

/// Programs that read and print in many ways, with what they read.
const DIFFERENTIAL: &[(&str, &[&str])] = &[
    (
        "int a; while (scanf(\"%d\", &a) == 1) printf(\"[%d|%5d|%-5d|%05d|%+d|% d|%.3d]\\n\", a, a, a, a, a, a, a);",
        &["0 1 -1 42 -42 99999 -123456\n2147483647 -2147483648", "x", ""],
    ),
    (
        "long a; while (scanf(\"%ld\", &a) == 1) printf(\"%ld %lu %lx %lo\\n\", a, (unsigned long)a, a, a);",
        &["0 -1 9223372036854775807 -9223372036854775808 123456789012"],
    ),
    (
        "unsigned a; while (scanf(\"%x\", &a) == 1) printf(\"%u %x %X %08x %o|%hhu\\n\", a, a, a, a, a, (unsigned char)a);",
        &["0 ff 0xDEADBEEF 7 g"],
    ),
    (
        "double x; while (scanf(\"%lf\", &x) == 1) printf(\"%f %.2f %.0f %8.3f|%-8.1f|%+.1f\\n\", x, x, x, x, x, x);",
        &["0 1.5 -2.675 0.005 1e3 -0.001 123456.789 .5 2.5 0.125"],
    ),
    ("float x; while (scanf(\"%f\", &x) == 1) printf(\"%.3f\\n\", x);", &["0.1 3.14159 -7"]),
    (
        "char w[8]; while (scanf(\"%7s\", w) == 1) printf(\"<%s|%6s|%-6s|%.2s>\\n\", w, w, w, w);",
        &["a bb ccc longerthanseven  x\n\ny"],
    ),
    (
        "int c, n = 0; while ((c = getchar()) != EOF) { putchar(c == '\\n' ? '/' : c); n++; } printf(\" %d %d\\n\", n, feof(stdin) != 0);",
        &["ab\ncd\n", "", "x"],
    ),
    (
        "char l[6]; while (fgets(l, 6, stdin)) { fputs(l, stdout); printf(\"|\"); } puts(\"end\");",
        &["ab\nabcde\nabcdef\n\nx", ""],
    ),
    (
        "int d, m, y, n; n = scanf(\"%d.%d.%d\", &d, &m, &y); printf(\"%d\\n\", n); char r[20] = \"\"; scanf(\"%19[^\\n]\", r); puts(r);",
        &["1.2.2003 rest of it\n", "1.x", "1", "", "  5.6"],
    ),
    (
        "int a, b; char op; while (scanf(\"%d %c %d\", &a, &op, &b) == 3) printf(\"%c%3c%-3c|%d\\n\", op, op, op, a + b);",
        &["1 + 2\n3-4 5 *6", "1 2"],
    ),
    (
        "int a = 1, n; n = scanf(\"%*d %2d%3d\", &a, &a); printf(\"%d %d\\n\", n, a); n = getchar(); ungetc(n, stdin); printf(\"%d\\n\", getchar() == n);",
        &["9 12345678", "9 1", "9"],
    ),
    ("int w; scanf(\"%d\", &w); printf(\"%*d|%-*d|%.*f|%%\\n\", w, 7, w, 7, 2, 1.005);", &["4", "1"]),
    (
        "fprintf(stderr, \"no\\n\"); fprintf(stdout, \"yes \\n\"); putc('x', stdout); fputc('\\n', stdout); exit(3);",
        &[""],
    ),
];

/// What gcc makes of a program prints on an input; nothing without a gcc.
fn printed(binary: &Path, input: &str) -> Vec<u8> {
    let mut child = Command::new(binary)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap().stdout
}

#[test]
fn programs_print_what_the_compiled_ones_print() {
    for (body, inputs) in DIFFERENTIAL {
        let text = in_main(body);
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("p.c"), &text).unwrap();
        let compiled = Command::new("gcc").args(["-w", "-o", "p", "p.c"]).current_dir(folder.path()).status();
        if !compiled.is_ok_and(|status| status.success()) {
            println!("not compared: there is no gcc");
            return;
        }
        std::fs::create_dir(path("t")).unwrap();
        for (number, input) in inputs.iter().enumerate() {
            std::fs::write(path(&format!("t/{number}.in")), input).unwrap();
            std::fs::write(path(&format!("t/{number}.out")), printed(&path("p"), input)).unwrap();
        }
        let checked = run(folder.path(), &["check", "p.c", "--tests", "t"]);
        assert_eq!(checked.status.code(), Some(0), "{body}\n{}{}", stdout(&checked), stderr(&checked));
    }
}
