//! All models of Debian's `spin` package are understood.

use crate::support::{errors, packaged_models, shown};

#[test]
fn packaged_models_parse() {
    let mut failed = Vec::new();
    for (path, text) in packaged_models() {
        let (_, diagnostics) = promela::syntax::parse(&text);
        if errors(&diagnostics) > 0 {
            let lines: Vec<_> = diagnostics.iter().map(|diagnostic| shown(&text, diagnostic)).collect();
            failed.push(format!("{}\n    {}", path.display(), lines.join("\n    ")));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}

#[test]
fn packaged_models_resolve() {
    let mut failed = Vec::new();
    for (path, text) in packaged_models() {
        let (program, diagnostics) = promela::resolve::read(&text);
        if program.is_none() {
            let lines: Vec<_> = diagnostics.iter().map(|diagnostic| shown(&text, diagnostic)).collect();
            failed.push(format!("{}\n    {}", path.display(), lines.join("\n    ")));
        }
    }
    assert!(failed.is_empty(), "{}", failed.join("\n"));
}
