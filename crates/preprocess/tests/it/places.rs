//! From the output back to what the user wrote.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use preprocess::{FileId, Options, Place, Preprocessed, preprocess};
use source::Span;

fn run(files: &[(&str, &str)]) -> Preprocessed {
    let map: BTreeMap<PathBuf, Arc<str>> =
        files.iter().map(|(path, text)| (PathBuf::from(path), Arc::from(*text))).collect();
    let (path, text) = files[0];
    preprocess(&map, Path::new(path), text, &Options::default())
}

/// Where the `number`th occurrence of a piece of output comes from, and the text there.
fn origin(result: &Preprocessed, piece: &str, number: usize) -> (String, String) {
    let (start, _) = result.text.match_indices(piece).nth(number).expect("the piece is in the output");
    let Place { file, span } = result.map.place(Span::new(start, start + piece.len()));
    let text = span.text(result.map.text(file)).to_owned();
    (result.map.location(file, span.start).to_string(), text)
}

fn assert_origin(result: &Preprocessed, piece: &str, number: usize, location: &str, text: &str) {
    assert_eq!(origin(result, piece, number), (location.to_owned(), text.to_owned()), "{piece}");
}

#[test]
fn plain_text_leads_to_itself() {
    let result = run(&[("m.pml", "int a; /* x\n */ int b;\n\n\tfoo(bar , baz)\n")]);
    assert_eq!(result.text, "int a;\n int b;\n\n foo(bar , baz)\n");
    assert_origin(&result, "a;", 0, "m.pml:1:5", "a;");
    assert_origin(&result, "b", 0, "m.pml:2:9", "b");
    assert_origin(&result, "foo(bar , baz)", 0, "m.pml:4:2", "foo(bar , baz)");
    assert_origin(&result, "ar , b", 0, "m.pml:4:7", "ar , b");
    assert_origin(&result, "a;\n int b", 0, "m.pml:1:5", "a; /* x\n */ int b");
}

#[test]
fn lines_keep_their_numbers() {
    let text = "#define A 1\n#if 0\nx\n#endif\n\nA /* \n */ y\nz \\\n w\nlast\n";
    let result = run(&[("m.pml", text)]);
    let lines: Vec<&str> = result.text.lines().collect();
    assert_eq!(lines, ["", "", "", "", "", "1", " y", "z w", "", "last"]);
}

#[test]
fn bodies_lead_to_the_invocation_and_arguments_to_themselves() {
    let text = "#define MAX(a, b) ((a) > (b) ? (a) : (b))\n#define TWICE(x) MAX(x, x) + OFFSET\n#define OFFSET 7\n\
                v = TWICE(count + 1);\n";
    let result = run(&[("m.pml", text)]);
    assert_eq!(result.text.trim(), "v = ((count + 1) > (count + 1) ? (count + 1) : (count + 1)) + 7;");
    assert_origin(&result, "count + 1", 0, "m.pml:4:11", "count + 1");
    assert_origin(&result, "1", 3, "m.pml:4:19", "1");
    assert_origin(&result, "7", 0, "m.pml:4:5", "TWICE(count + 1)");
    assert_origin(&result, ">", 0, "m.pml:4:5", "TWICE(count + 1)");
    assert_origin(&result, "(count + 1) ? ", 0, "m.pml:4:5", "TWICE(count + 1)");
    assert_origin(&result, "7;", 0, "m.pml:4:5", "TWICE(count + 1);");
    assert_origin(&result, ";", 0, "m.pml:4:21", ";");

    let at = |piece: &str| {
        let notes = result.map.notes(result.text.find(piece).expect("the piece is in the output"));
        notes.into_iter().map(|note| note.message).collect::<Vec<_>>()
    };
    assert_eq!(
        at(">"),
        [
            "in expansion of macro `MAX`, defined at m.pml:1:9",
            "in expansion of macro `TWICE`, defined at m.pml:2:9"
        ]
    );
    assert_eq!(at("count"), ["in argument of macro `TWICE`, defined at m.pml:2:9"]);
    assert_eq!(at("7")[0], "in expansion of macro `OFFSET`, defined at m.pml:3:9");
    assert_eq!(at(";"), [""; 0]);
}

#[test]
fn a_macro_in_an_argument_leads_to_its_own_name() {
    let result = run(&[("m.pml", "#define N 3\n#define f(x) [x]\nf(a + N) f(\n  f(N)\n)\n")]);
    assert_eq!(result.text.trim(), "[a + 3] [[3]]");
    assert_origin(&result, "3", 0, "m.pml:3:7", "N");
    assert_origin(&result, "3", 1, "m.pml:4:5", "N");
    assert_origin(&result, "[", 1, "m.pml:3:10", "f(\n  f(N)\n)");
    assert_origin(&result, "[", 2, "m.pml:4:3", "f(N)");
}

#[test]
fn made_tokens_lead_to_what_made_them() {
    let text = "#define name(x) proc_ ## x\n#define str(x) #x\nname(a) str(b c) __LINE__\n";
    let result = run(&[("m.pml", text)]);
    assert_eq!(result.text.trim(), "proc_a \"b c\" 3");
    assert_origin(&result, "proc_a", 0, "m.pml:3:1", "name(a)");
    assert_origin(&result, "\"b c\"", 0, "m.pml:3:9", "str(b c)");
    assert_origin(&result, "3", 0, "m.pml:3:18", "__LINE__");
}

#[test]
fn continued_words_lead_to_all_of_themselves() {
    let result = run(&[("m.pml", "ab\\\ncd ef\n#define LO\\\nNG x \\\n y\nLONG\n")]);
    assert_origin(&result, "abcd", 0, "m.pml:1:1", "ab\\\ncd");
    assert_origin(&result, "ef", 0, "m.pml:2:4", "ef");
    assert_origin(&result, "x y", 0, "m.pml:6:1", "LONG");
}

#[test]
fn included_files_lead_to_themselves() {
    let files = [
        ("models/main.pml", "#include \"lib/a.h\"\nlast USE(q)\n"),
        ("models/lib/a.h", "// first\n#include <b.h>\nfrom a\n#define USE(x) x used\n"),
        ("models/lib/b.h", "from b\n"),
    ];
    let result = run(&files);
    assert!(result.diagnostics.is_empty(), "{:?}", result.diagnostics);
    assert_eq!(normal(&result.text), "from b from a last q used");
    assert_origin(&result, "b", 0, "models/lib/b.h:1:6", "b");
    assert_origin(&result, "from a", 0, "models/lib/a.h:3:1", "from a");
    assert_origin(&result, "used", 0, "models/main.pml:2:6", "USE(q)");
    let notes = |piece: &str| -> Vec<String> {
        let notes = result.map.notes(result.text.find(piece).expect("the piece is in the output"));
        notes.into_iter().map(|note| note.message).collect()
    };
    assert_eq!(notes("from b"), ["included from models/lib/a.h:2:1", "included from models/main.pml:1:1"]);
    assert_eq!(notes("used"), ["in expansion of macro `USE`, defined at models/lib/a.h:4:9"]);
    let b =
        result.map.files().find(|file| result.map.path(*file).ends_with("b.h")).expect("b.h was included");
    assert_eq!(
        result.map.included_from(b).map(|place| result.map.path(place.file).to_owned()),
        Some("models/lib/a.h".into())
    );
    assert_eq!(result.map.included_from(FileId::MAIN), None);
}

fn normal(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn line_markers_are_obeyed() {
    let result =
        run(&[("m.i", "# 1 \"m.pml\"\na\n# 10 \"dir/other.pml\" 1\nb\nc\n#line 3\nd __LINE__ __FILE__\n")]);
    assert_origin(&result, "a", 0, "m.pml:1:1", "a");
    assert_origin(&result, "b", 0, "dir/other.pml:10:1", "b");
    assert_origin(&result, "c", 0, "dir/other.pml:11:1", "c");
    assert_origin(&result, "d", 0, "dir/other.pml:3:1", "d");
    assert_eq!(normal(&result.text), "a b c d 3 \"dir/other.pml\"");
}

#[test]
fn every_byte_of_the_output_leads_somewhere() {
    let text = "#define é(x) x ü #x\nÄ é( ö é(1) ) é é\n§ 'ß\n\té(\"ä\") // ü\n/*ü*/ö\n";
    let result = run(&[("m.pml", text)]);
    for (start, _) in result.text.char_indices() {
        for (end, last) in result.text.char_indices().skip_while(|(end, _)| *end < start) {
            let Place { file, span } = result.map.place(Span::new(start, end + last.len_utf8()));
            assert!(result.map.text(file).get(span.start..span.end).is_some(), "{start} {end}");
        }
        let Place { file, span } = result.map.place(Span::at(start));
        assert!(result.map.text(file).get(span.start..span.end).is_some(), "{start}");
    }
}
