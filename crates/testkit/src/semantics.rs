//! Small models, each of which shows one rule of Promela: `crates/promela/tests/semantics`. What they mean
//! is not written down in them but asked from SPIN.

use std::path::Path;

use crate::spin::Source;

#[derive(Clone, Debug)]
pub struct SemanticsCase {
    /// The name of the file, without `.pml`.
    pub name: String,
    /// What it shows, in a sentence.
    pub shows: String,
    pub source: Source,
}

impl SemanticsCase {
    /// Whether SPIN gives up in the middle of the search or dies, so that only the kind of fault can be
    /// compared, not the counts.
    pub fn is_fault(&self) -> bool {
        self.name.starts_with("fault_")
    }
}

/// All cases in the order of their names.
///
/// # Panics
/// If the folder cannot be read, or a case does not begin with a comment that says what it shows.
pub fn semantics_cases() -> Vec<SemanticsCase> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../promela/tests/semantics");
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut cases: Vec<SemanticsCase> = entries
        .map(|entry| entry.expect("a folder that can be listed").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "pml"))
        .map(|path| {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let source = Source::file(&path).expect("a file that can be read");
            let text = source.main_text();
            let shows = text.strip_prefix("/* ").and_then(|text| text.split_once(" */"));
            let (shows, _) = shows.unwrap_or_else(|| panic!("{name} does not say what it shows"));
            SemanticsCase { name, shows: shows.to_owned(), source }
        })
        .collect();
    cases.sort_by(|one, other| one.name.cmp(&other.name));
    cases
}
