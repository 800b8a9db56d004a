//! Any text as a Promela model: tokens, tree, names and checks.
//!
//! Besides panics this looks for spans outside the text, models that are missing without an error, and
//! statements that point to nowhere.

#![no_main]

use libfuzzer_sys::fuzz_target;
use promela::resolve::{Stmt, StmtKind, read};
use source::Severity;

fuzz_target!(|text: &str| {
    let (program, diagnostics) = read(text);
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    assert_eq!(program.is_none(), errors > 0);
    for diagnostic in diagnostics {
        assert!(text.get(diagnostic.span.start..diagnostic.span.end).is_some(), "{diagnostic:?}");
    }
    for process in program.iter().flat_map(|program| &program.processes) {
        check(&process.body, text);
    }
});

fn check(body: &[Stmt], text: &str) {
    for statement in body {
        assert!(text.get(statement.span.start..statement.span.end).is_some(), "{statement:?}");
        match &statement.kind {
            StmtKind::If(choices) | StmtKind::Do(choices) => {
                choices.iter().for_each(|choice| check(&choice.body, text));
            }
            StmtKind::Atomic(inner) | StmtKind::DStep(inner) | StmtKind::Block(inner) => check(inner, text),
            StmtKind::Unless { main, escape } => {
                check(main, text);
                check(escape, text);
            }
            _ => {}
        }
    }
}
