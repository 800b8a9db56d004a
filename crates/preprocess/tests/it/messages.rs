//! Errors and warnings: several in a run, each at its place; options; limits that end in an error.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use preprocess::{Files, Limits, NoFiles, Options, Preprocessed, Unread, preprocess};
use source::Severity;

fn run(text: &str) -> Preprocessed {
    preprocess(&NoFiles, Path::new("m.pml"), text, &Options::default())
}

fn messages(result: &Preprocessed) -> Vec<String> {
    let line = |(file, diagnostic): &(preprocess::FileId, source::Diagnostic)| {
        let kind = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        format!("{} {kind}: {}", result.map.location(*file, diagnostic.span.start), diagnostic.message)
    };
    result.diagnostics.iter().map(line).collect()
}

#[test]
fn several_errors_are_told() {
    let text = "#define f(x, y) x\nf(1)\n#if 1 +\n#endif\n#foo\n#include \"none.h\"\n  #error stop  here\n\
                #define p(a) a ## +\np(b)\n#if (2 == 3 ? 1/0 : 4/(1-1))\n#endif\n#else\nok f(1, 2)\n";
    let result = run(text);
    assert_eq!(
        messages(&result),
        [
            "m.pml:2:1 error: the macro `f` takes 2 arguments, not 1",
            "m.pml:3:8 error: the expression is incomplete",
            "m.pml:5:1 error: there is no directive `#foo`",
            "m.pml:6:10 error: there is no file `none.h`",
            "m.pml:7:3 error: #error stop here",
            "m.pml:9:3 error: `##` cannot make one token of `b` and `+`",
            "m.pml:10:22 error: this divides by zero",
            "m.pml:12:1 error: there is no `#if` to this `#else`",
        ]
    );
    assert!(result.text.trim_end().ends_with("ok 1"));
}

#[test]
fn what_is_seldom_meant_is_told() {
    let text =
        "#define N 3\n#define N 4\nfor (i : 0..N) for (i : 0 .. N) for (i : 0..M)\ndon't\n#warning mind\n";
    let result = run(text);
    assert_eq!(
        messages(&result),
        [
            "m.pml:2:9 warning: the macro `N` is already defined differently, at m.pml:1:9",
            "m.pml:3:10 warning: `0..N` is one token, so the macro `N` in it is not expanded",
            "m.pml:4:4 warning: this ' has no partner on its line",
            "m.pml:5:1 warning: #warning mind",
        ]
    );
    assert!(!result.has_errors());
    let quiet = "#define N 3\n#define  N  3\n#if 0\n#if 1\n#else x\n#endif x\ndon't 0..N\n#endif\n";
    assert_eq!(messages(&run(quiet)), [""; 0]);
}

#[test]
fn what_is_left_open_is_told_where_it_was_opened() {
    assert_eq!(
        messages(&run("#if 1\n#ifdef X\n")),
        ["m.pml:2:1 error: this `#if` has no `#endif`", "m.pml:1:1 error: this `#if` has no `#endif`"]
    );
    assert_eq!(messages(&run("a /* b\n")), ["m.pml:1:3 error: this comment has no end"]);
    assert_eq!(
        messages(&run("#define f(x) x\n f(1,(2\n")),
        ["m.pml:2:2 error: the arguments of the macro `f` have no end"]
    );
}

#[test]
fn options_define_and_undefine() {
    let define = |name: &str, value: Option<&str>| (name.to_owned(), value.map(str::to_owned));
    let options = Options {
        defines: vec![
            define("A", None),
            define("B", Some("b\\")),
            define("f(x)", Some("[x]")),
            define("C", Some("")),
        ],
        undefine: vec!["__STDC__".to_owned(), "D".to_owned()],
        ..Options::default()
    };
    let result =
        preprocess(&NoFiles, Path::new("m.pml"), "A B f(1) C __STDC__ D __DATE__ __TIME__", &options);
    assert_eq!(messages(&result), [""; 0]);
    assert_eq!(result.text, "1 b\\ [1] __STDC__ D \"Jan  1 1970\" \"00:00:00\"\n");
    let wrong = Options { defines: vec![define("3", None)], ..Options::default() };
    let result = preprocess(&NoFiles, Path::new("m.pml"), "x", &wrong);
    assert_eq!(messages(&result), ["<command line>:1:9 error: the name of a macro must be an identifier"]);
}

fn files(files: &[(&str, &str)]) -> BTreeMap<PathBuf, Arc<str>> {
    files.iter().map(|(path, text)| (PathBuf::from(path), Arc::from(*text))).collect()
}

#[test]
fn files_are_searched_in_order() {
    let there = files(&[
        ("here/a.h", "near\n"),
        ("inc1/a.h", "far\n"),
        ("inc1/b.h", "one\n#include \"c.h\"\n"),
        ("inc1/c.h", "beside\n"),
        ("inc2/b.h", "two\n"),
        ("/abs.h", "absolute\n"),
        ("inc2/once.h", "#pragma once\nonce\n"),
    ]);
    let options = Options { include_folders: vec!["inc1".into(), "inc2".into()], ..Options::default() };
    let text = "#include \"a.h\"\n#include <b.h>\n#include \"/abs.h\"\n#define H <once.h>\n#include H\n#include H\n\
                #import \"a.h\"\n#import \"a.h\"\nend\n";
    let result = preprocess(&there, Path::new("here/m.pml"), text, &options);
    assert_eq!(messages(&result), [""; 0]);
    let words: Vec<&str> = result.text.split_whitespace().collect();
    assert_eq!(words, ["near", "one", "beside", "absolute", "once", "near", "end"]);
}

#[test]
fn a_file_that_cannot_be_read_says_why() {
    struct Broken;
    impl Files for Broken {
        fn read(&self, _: &Path) -> Result<Arc<str>, Unread> {
            Err(Unread::Failed("it is a folder".to_owned()))
        }
    }
    let result = preprocess(&Broken, Path::new("m.pml"), "#include \"x\"\n", &Options::default());
    assert_eq!(messages(&result), ["m.pml:1:10 error: `x` cannot be read: it is a folder"]);
}

/// A text that asks for too much ends in one error, soon.
fn assert_stops(text: &str, message: &str) {
    let begun = Instant::now();
    let result = run(text);
    assert!(begun.elapsed() < Duration::from_secs(20), "{message}: {:?}", begun.elapsed());
    let last = messages(&result).pop().unwrap_or_default();
    assert!(last.contains(message), "{last}");
}

#[test]
fn exploding_macros_stop() {
    let doubling = |first: &str, rest: fn(usize) -> String| {
        let rest: String = (1..60).map(rest).collect();
        format!("{first}{rest}A59\n")
    };
    assert_stops(
        &doubling("#define A0 x x\n", |i| format!("#define A{i} A{} A{}\n", i - 1, i - 1)),
        "m.pml:61:1 error: the macros of this text expand to too much",
    );
    assert_stops(
        &doubling("#define A0\n", |i| format!("#define A{i} A{} A{}\n", i - 1, i - 1)),
        "expand to too much",
    );
    let nested = format!("#define D(x) x x\n{}y{}\n", "D(".repeat(100), ")".repeat(100));
    assert_stops(&nested, "expand to too much");
    let pasted = doubling("#define P(x) P1(x,x)\n#define P1(x,y) x##y\n#define A0 x\n", |i| {
        format!("#define A{i} P(A{})\n", i - 1)
    });
    assert_stops(&pasted, "too long");
    let long = "x".repeat(1000);
    let strings = format!(
        "#define L {long}\n#define S(x) #x\n#define T(x) S(x) S(x) S(x) S(x)\n{}\n",
        "T(L)\n".repeat(100_000)
    );
    let limits = Limits { output_bytes: 1 << 20, ..Limits::default() };
    let result = preprocess(&NoFiles, Path::new("m.pml"), strings, &Options { limits, ..Options::default() });
    assert!(messages(&result).pop().unwrap_or_default().contains("the preprocessed text is too long"));
}

#[test]
fn deep_nesting_stops() {
    let invocations = format!("#define f(x) x\n{}1{}\n", "f(".repeat(1000), ")".repeat(1000));
    assert_stops(&invocations, "too deeply in each other's arguments");
    let chain: String = (0..100_000).map(|i| format!("#define N{i} N{}\n", i + 1)).collect();
    assert_stops(&format!("{chain}N0\n"), "macros are nested too deeply");
    for deep in ["(".repeat(100_000), "!".repeat(100_000), "1?".repeat(100_000), "0?1:".repeat(100_000)] {
        assert_stops(&format!("#if {deep}1\n#endif\n"), "this expression is nested too deeply");
    }
    let open = "#if 1\n".repeat(100_000);
    assert_stops(&open, "too many errors");
    assert_stops(&format!("#if 0\n{open}"), "too many errors");
    assert!(run(&"(".repeat(1_000_000)).diagnostics.is_empty());
}

#[test]
fn include_loops_stop() {
    let loops = files(&[("a.h", "#include \"b.h\"\n"), ("b.h", "x\n#include \"a.h\"\n#include \"a.h\"\n")]);
    let result = preprocess(&loops, Path::new("m.pml"), "#include \"a.h\"\n", &Options::default());
    assert_eq!(messages(&result), ["b.h:2:1 error: files include each other too deeply, perhaps forever"]);
    // Empty files, but very many.
    let tree: Vec<(String, String)> = (0..60)
        .map(|i| (format!("t{i}"), format!("#include \"t{}\"\n#include \"t{}\"\n", i + 1, i + 1)))
        .chain([("t60".to_owned(), String::new())])
        .collect();
    let tree: Vec<(&str, &str)> = tree.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let result = preprocess(&files(&tree), Path::new("m.pml"), "#include \"t0\"\n", &Options::default());
    assert!(messages(&result).pop().unwrap_or_default().contains("with all its included files is too long"));
}

#[test]
fn limits_leave_room_for_what_people_write() {
    let invocations = format!("#define f(x) x\n{}1{}\n", "f(".repeat(200), ")".repeat(200));
    let chain: String = (0..20_000).map(|i| format!("#define N{i} N{}\n", i + 1)).collect();
    let expression = format!("#if {}1{}\nyes\n#endif\n", "(".repeat(200), ")".repeat(200));
    for (text, expected) in [(invocations, "1"), (format!("{chain}N0\n"), "N20000"), (expression, "yes")] {
        let result = run(&text);
        assert_eq!(messages(&result), [""; 0]);
        assert_eq!(result.text.trim(), expected);
    }
}

#[test]
fn letters_of_any_script_stay_as_they_are() {
    assert_eq!(run("#define x größe\nx ü §x é$x\n").text.trim(), "größe ü §größe é$x");
}

#[test]
fn angles_may_mean_the_folders_only() {
    let files: BTreeMap<PathBuf, Arc<str>> = [("own.h", "own"), ("inc/own.h", "folder")]
        .map(|(path, text)| (PathBuf::from(path), Arc::from(text)))
        .into();
    let mut options = Options { include_folders: vec!["inc".into()], ..Options::default() };
    let text = "#include <own.h>\n#include \"own.h\"\n";
    let words = |options: &Options| {
        let result = preprocess(&files, Path::new("m.c"), text, options);
        result.text.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words(&options), ["own", "own"]);
    options.angles_in_folders_only = true;
    assert_eq!(words(&options), ["folder", "own"]);
}

#[test]
fn pragmas_are_kept_on_request() {
    let text =
        "#pragma once\nint a;\n#pragma  pack( 1 ) // why\nint b;\n#define F(x) x\nF(\n#pragma pack()\n)\n";
    let dropped = preprocess(&NoFiles, Path::new("m.c"), text, &Options::default());
    assert!(!dropped.text.contains("pragma") && !dropped.has_errors());
    let options = Options { keep_pragmas: true, ..Options::default() };
    let kept = preprocess(&NoFiles, Path::new("m.c"), text, &options);
    assert_eq!(kept.text.trim_end(), "\nint a;\n#pragma pack( 1 )\nint b;");
    let messages: Vec<&str> = kept.diagnostics.iter().map(|(_, found)| found.message.as_str()).collect();
    assert_eq!(messages, ["a `#pragma` cannot stand among the arguments of a macro"]);
}
