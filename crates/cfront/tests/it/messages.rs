//! Errors: several in one file, each at its place in the user's own text.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use cfront::Options;

use crate::support;
use crate::support::{errors, read, shown};

#[test]
fn several_syntax_errors() {
    let told = errors(
        "int f(void) {\n  int x = ;\n  return x\n}\n\nint g(void) { return (1 + ; }\nint h( { }\nint main(void) { return 0; }\n",
    );
    let lines: Vec<&str> = told.lines().map(|line| line.split(": ").next().unwrap_or_default()).collect();
    assert_eq!(lines[..3], ["t.c:2:11", "t.c:3:11", "t.c:6:27"], "{told}");
}

#[test]
fn several_errors_of_types_and_names() {
    let told = errors(
        "struct s { int a; };\nint main(void) {\n  struct s v;\n  v.b = 1;\n  undefined = 2;\n  int *p = v;\n  return p * 2;\n}\n",
    );
    let expected = "t.c:4:3: error: `struct s` has no member named `b`\n\
                    t.c:5:3: error: `undefined` undeclared (first use in this function)\n";
    assert!(told.starts_with(expected), "{told}");
    assert_eq!(told.lines().count(), 4, "{told}");
}

#[test]
fn places_lead_through_macros_and_files() {
    let files: BTreeMap<PathBuf, Arc<str>> = [(
        PathBuf::from("h.h"),
        Arc::from("#define TWICE(x) ((x) + (x))\nint helper(int x) { return x +; }\n"),
    )]
    .into();
    let text = "#include \"h.h\"\nint main(void) {\n  return TWICE(missing);\n}\n";
    let (program, diagnostics) = cfront::read(&files, Path::new("m.c"), text, &Options::default());
    assert!(program.is_none());
    let first = &diagnostics[0];
    assert_eq!(first.location.to_string(), "h.h:2:31", "{}", shown(&diagnostics));
    assert_eq!(first.notes.last().expect("a note").message, "included from m.c:1:1");
    let (program, diagnostics) = cfront::read(
        &[(PathBuf::from("h.h"), Arc::from("#define TWICE(x) ((x) + (x))\n"))]
            .into_iter()
            .collect::<BTreeMap<_, Arc<str>>>(),
        Path::new("m.c"),
        text,
        &Options::default(),
    );
    assert!(program.is_none());
    assert_eq!(diagnostics[0].location.to_string(), "m.c:3:16", "{}", shown(&diagnostics));
    assert_eq!(diagnostics[0].span.text(&diagnostics[0].text), "missing");
}

#[test]
fn line_markers_are_obeyed() {
    let text = "# 1 \"orig.c\"\nint main(void) {\n# 40 \"orig.c\"\n  return y;\n}\n";
    let options = Options::default();
    let (_, diagnostics) = cfront::read(&preprocess::NoFiles, Path::new("t.i"), text, &options);
    let first = &diagnostics[0];
    assert_eq!(
        (first.location.to_string(), first.path.as_path()),
        ("orig.c:40:10".to_owned(), Path::new("t.i"))
    );
}

#[test]
fn what_the_preprocessor_finds_comes_first() {
    let told = errors("#include <nowhere.h>\n#include \"neither.h\"\nint main(void) { return }\n");
    assert_eq!(
        told,
        "t.c:1:10: error: there is no file `nowhere.h`\nt.c:2:10: error: there is no file `neither.h`\n"
    );
}

#[test]
fn the_entry_must_be_there() {
    assert_eq!(
        errors("int f(void) { return 0; }"),
        "t.c:1:5: error: there is no function `main` to start with\n"
    );
    assert_eq!(errors("int main(void);"), "t.c:1:5: error: there is no function `main` to start with\n");
    assert_eq!(errors("int main = 3;"), "t.c:1:5: error: there is no function `main` to start with\n");
    let options = Options { entry: "start".to_owned(), ..Options::default() };
    let text = "void start(void) {} int main(void) { __asm__(\"nop\"); }";
    let (program, _) = cfront::read(&preprocess::NoFiles, Path::new("t.c"), text, &options);
    assert_eq!(&*program.expect("a program").functions[0].name, "start");
}

/// What old programs do is a warning: they mean something.
#[test]
fn old_programs_are_warned_of() {
    let text = "f(a, b) char b; { return a + b; }\nmain() { undeclared(1); return f(1, 2); }\n";
    let (program, diagnostics) = read(text);
    assert!(program.is_some(), "{}", shown(&diagnostics));
    let told = shown(&diagnostics);
    assert!(told.contains("t.c:2:10: warning: implicit declaration of function `undeclared`"), "{told}");
    assert!(diagnostics.iter().all(|found| !found.is_error()));
}

#[test]
fn ranges_are_counted_before_they_are_written_out() {
    let told = errors("int a[2000000000] = { [0 ... 1999999999] = 1 };\nint main(void) { return a[0]; }\n");
    assert_eq!(told, "t.c:1:30: error: what these ranges stand for is too much\n");
    let nested =
        "int a[3000][3000] = { [0 ... 2999] = { [0 ... 2999] = 1 } }; int main(void) { return a[0][0]; }";
    assert!(errors(nested).contains("too much"));
    let told = errors("enum { N = 4 }; int a[N] = { [0 ... N - 1] = 1 }; int main(void) { return a[0]; }");
    assert_eq!(told, "t.c:1:33: error: the bounds of a range must be plain numbers\n");
    let small = support::program(
        "#define N (4)\nint a[N] = { [0 ... N - 1] = 7, [2] = 1 }; int f(int, ...); int main(void) { return a[0]; }",
    );
    assert!(
        small.show().starts_with("static int [4] a = {+0: 7, +4: 7, +8: 7, +12: 7, +8: 1};"),
        "{}",
        small.show()
    );
}
