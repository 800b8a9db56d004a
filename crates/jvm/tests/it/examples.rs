//! The programs of `examples/java`: each fails as its header says, and holds when it is mended as its header says.

use std::path::{Path, PathBuf};

use crate::support::{Outcome, compile, jdk, model, outcomes};

struct Example {
    name: String,
    text: String,
}

impl Example {
    /// What stands behind a word in the header.
    fn header<'e>(&'e self, word: &str) -> Vec<&'e str> {
        let mark = format!(" * {word}: ");
        self.text.lines().filter_map(|line| line.strip_prefix(mark.as_str())).collect()
    }

    fn is_expected(&self, outcome: &Outcome) -> bool {
        let expected = self.header("expect")[0];
        match outcome {
            Outcome::Deadlock => expected == "deadlock",
            Outcome::Uncaught(class, line) => {
                let kind = if class == "java.lang.AssertionError" { "assertion" } else { "fault" };
                expected == format!("{kind} line {line}")
            }
            Outcome::Needs(_) => false,
        }
    }

    /// The text with its faults mended.
    fn mended(&self) -> String {
        let mut lines: Vec<&str> = self.text.lines().collect();
        for mend in self.header("mend") {
            let rest = mend.strip_prefix("line ").expect("a line");
            let (line, text) = rest.split_once(": ").expect("a text");
            let line: usize = line.parse().expect("a number");
            lines[line - 1] = text;
        }
        lines.join("\n")
    }
}

/// What becomes of each example, after `change` made another text of it. All are compiled together.
fn all_outcomes(change: impl Fn(&Example) -> String) -> Vec<(Example, Vec<Outcome>)> {
    let Some(jdk) = jdk() else { return Vec::new() };
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<(String, String)> =
        examples().iter().map(|example| (format!("{}.java", example.name), change(example))).collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
    compile(&jdk, folder.path(), &files);
    let found = examples().into_iter().map(|example| {
        let outcomes = outcomes(&model(&jdk, folder.path(), &example.name, &[], false)).1;
        (example, outcomes)
    });
    found.collect()
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/java")
}

fn examples() -> Vec<Example> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("examples")
        .map(|entry| entry.expect("an example").path())
        .collect();
    paths.sort();
    let java = paths.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "java"));
    let read = java.map(|path| Example {
        name: path.file_stem().expect("a name").to_string_lossy().into_owned(),
        text: std::fs::read_to_string(&path).expect("a text"),
    });
    read.collect()
}

#[test]
fn there_are_twelve_at_least() {
    assert!(examples().len() >= 12);
}

#[test]
fn faults_are_where_the_header_says() {
    for example in examples() {
        for fault in example.header("fault") {
            let rest = fault.strip_prefix("line ").expect("a line");
            let (line, rest) = rest.split_once(" \"").expect("a text");
            let (text, _) = rest.split_once("\": ").expect("an end of the text");
            let line: usize = line.parse().expect("a number");
            let found = example.text.lines().nth(line - 1).expect("a line");
            assert_eq!(found.trim(), text, "{}", example.name);
        }
    }
}

#[test]
fn each_fails_as_its_header_says() {
    for (example, outcomes) in all_outcomes(|example| example.text.clone()) {
        let expected = outcomes.iter().filter(|outcome| example.is_expected(outcome)).count();
        assert!(expected == 1 && outcomes.len() == 1, "{}: {outcomes:?}", example.name);
    }
}

#[test]
fn each_holds_when_it_is_mended() {
    for (example, outcomes) in all_outcomes(Example::mended) {
        assert_eq!(outcomes, [], "{}", example.name);
    }
}
