//! Compiling, running and searching programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use graph::Unwatched;
use jvm::{Jdk, Library, Model, Options, Part};
use search::{Explored, Limits, Violation};

/// What became of a program when all its states were looked at.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    Deadlock,
    /// An exception that nobody caught: its class, and the line of the user that it came from.
    Uncaught(String, u32),
    /// Something is missing.
    Needs(String),
}

/// The JDK of this machine; tests are skipped without one unless tools are required.
pub(crate) fn jdk() -> Option<Jdk> {
    let jdk = Jdk::find().ok().filter(|jdk| jdk.compiler().is_some());
    assert!(
        jdk.is_some() || std::env::var_os("WHEREFORE_REQUIRE_TOOLS").is_none(),
        "javac is required and not there"
    );
    jdk
}

/// Where inputs come from, for the compiler.
fn inputs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../languages/src/java")
}

/// Compiles texts, each with the name of its file, into a folder.
pub(crate) fn compile(jdk: &Jdk, folder: &Path, files: &[(&str, &str)]) {
    let mut command = Command::new(jdk.compiler().expect("a compiler"));
    command.args(["-g", "-nowarn", "-proc:none", "-d"]).arg(folder);
    for (name, text) in files {
        let file = folder.join(name);
        std::fs::write(&file, text).expect("a file");
        command.arg(file);
    }
    command.arg(inputs().join("Verify.java"));
    let output = command.output().expect("javac");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

pub(crate) fn model(jdk: &Jdk, folder: &Path, main: &str, arguments: &[&str], by_lines: bool) -> Model {
    let part = Part::at(folder).expect("a folder");
    let library = Library::new(vec![part], jdk.clone()).expect("a JDK");
    let options = Options {
        main: main.to_owned(),
        arguments: arguments.iter().map(|argument| (*argument).to_owned()).collect(),
        by_lines,
        ..Options::default()
    };
    Model::new(library, &options).expect("a program that can be loaded")
}

/// Looks at all states.
pub(crate) fn outcomes(model: &Model) -> (Explored, Vec<Outcome>) {
    let limits = Limits { max_states: 200_000, ..Limits::default() };
    let found = search::explore(model, limits, &Unwatched).expect("a graph");
    assert!(found.interrupt.is_none(), "too many states");
    let mut outcomes: Vec<Outcome> = found
        .violations
        .iter()
        .map(|violation| match violation {
            Violation::Deadlock { .. } => Outcome::Deadlock,
            Violation::Step { what, .. } => {
                let (class, line) = model.exception(*what).expect("an exception");
                Outcome::Uncaught(class, line)
            }
        })
        .collect();
    for state in 0..found.store.len() as u32 {
        if let Some((what, _)) = model.obstacle(found.store.get(state)) {
            outcomes.push(Outcome::Needs(what.to_owned()));
        }
    }
    outcomes.sort();
    outcomes.dedup();
    (found, outcomes)
}

/// Compiles one class and looks at all its states.
pub(crate) fn searched(text: &str) -> Option<Vec<Outcome>> {
    let jdk = jdk()?;
    let folder = tempfile::tempdir().expect("a folder");
    compile(&jdk, folder.path(), &[("Main.java", text)]);
    Some(outcomes(&model(&jdk, folder.path(), "Main", &[], false)).1)
}
