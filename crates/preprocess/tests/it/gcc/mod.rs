//! What gcc makes of a text is what SPIN reads, so gcc is the judge: tricky snippets, random macro
//! programs, and the models of SPIN's package. Skipped, with a line that says so, where there is no gcc.

mod included;
mod models;
mod random;
mod snippets;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use preprocess::{NoFiles, Options, preprocess};

/// How the two must agree.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Agreement {
    /// The same bytes without blanks.
    Tokens,
    /// Blanks in the same places, though not as many.
    Blanks,
}

/// Whether there is a gcc; says so if not.
#[expect(clippy::print_stdout, reason = "a test that compares nothing says so")]
fn gcc_is_there() -> bool {
    let found = Command::new("gcc").arg("--version").output().is_ok();
    if !found {
        println!("skipped: there is no gcc to compare with");
    }
    found
}

/// What gcc makes of a text read from `folder`, or its complaints.
fn gcc(text: &str, folder: &Path) -> Result<String, String> {
    let mut child = Command::new("gcc")
        .args(["-std=gnu99", "-undef", "-E", "-P", "-x", "c", "-"])
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("gcc starts");
    child.stdin.take().expect("it has an input").write_all(text.as_bytes()).expect("gcc reads");
    let output = child.wait_with_output().expect("gcc ends");
    if output.status.success() {
        let text = String::from_utf8_lossy(&output.stdout);
        // It passes these on.
        Ok(text
            .lines()
            .filter(|line| !line.starts_with("#pragma") && !line.starts_with("#ident"))
            .map(|line| format!("{line}\n"))
            .collect())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned())
    }
}

fn normal(text: &str, agreement: Agreement) -> String {
    let between = if agreement == Agreement::Blanks { " " } else { "" };
    text.split_whitespace().collect::<Vec<_>>().join(between)
}

/// Compares without included files.
fn compare(text: &str, agreement: Agreement) {
    let ours = preprocess(&NoFiles, Path::new("<stdin>"), text, &Options::default());
    match gcc(text, Path::new("/")) {
        Ok(theirs) => {
            assert!(!ours.has_errors(), "only we complain of\n{text}\n{:?}", ours.diagnostics);
            let (ours, theirs) = (normal(&ours.text, agreement), normal(&theirs, agreement));
            assert_eq!(ours, theirs, "of\n{text}");
        }
        Err(complaints) => {
            assert!(ours.has_errors(), "only gcc complains of\n{text}\n{complaints}\n{}", ours.text)
        }
    }
}
