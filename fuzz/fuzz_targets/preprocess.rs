//! Any text as a model with macros, which may include itself and a second file.
//!
//! Besides panics and hangs this looks for places outside the files, for output or memory beyond the
//! limits, and for two runs that differ.

#![no_main]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use libfuzzer_sys::fuzz_target;
use preprocess::{Limits, Options, Place, preprocess};
use source::Span;

fuzz_target!(|text: &str| {
    // What stands behind a form feed is the file that can be included.
    let (main, other) = text.split_once('\u{c}').unwrap_or((text, "#ifndef H\n#define H x H\n#endif\n"));
    let files: BTreeMap<PathBuf, Arc<str>> =
        [("m".into(), Arc::from(main)), ("h".into(), Arc::from(other))].into_iter().collect();
    let limits = Limits {
        include_depth: 20,
        argument_depth: 100,
        output_bytes: 100_000,
        input_bytes: 200_000,
        macro_tokens: 100_000,
        token_bytes: 10_000,
        ..Limits::default()
    };
    let most = limits.output_bytes + limits.token_bytes + text.len() + 100;
    let options = Options { limits, ..Options::default() };
    let result = preprocess(&files, Path::new("m"), main, &options);
    assert!(result.text.len() <= most);
    assert!(result.diagnostics.len() <= 202);
    let check = |place: Place| {
        assert!(result.map.text(place.file).get(place.span.start..place.span.end).is_some(), "{place:?}");
        result.map.location(place.file, place.span.start);
    };
    for (file, diagnostic) in &result.diagnostics {
        check(Place { file: *file, span: diagnostic.span });
        assert!(!diagnostic.message.is_empty());
    }
    let ends = result.text.char_indices().map(|(at, _)| at).chain([result.text.len()]);
    for (before, at) in ends.clone().zip(ends.skip(1)).take(2000) {
        check(result.map.place(Span::new(before, at)));
        check(result.map.place(Span::at(at)));
        check(result.map.place(Span::new(0, at)));
    }
    for at in [0, result.text.len() / 2, result.text.len()] {
        for note in result.map.notes(at) {
            check(note.place);
        }
    }
    let again = preprocess(&files, Path::new("m"), main, &options);
    assert_eq!(again.text, result.text);
    assert_eq!(again.diagnostics, result.diagnostics);
});
