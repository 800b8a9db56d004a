//! The models that come with SPIN's Debian package.

use std::path::{Path, PathBuf};

use crate::spin::Source;

/// Models whose exact search by SPIN needs more than 20 seconds or 2 GB; tests leave them out unless asked.
pub const SLOW: &[&str] = &[
    "Book_1991/App.F.pftp.pml",
    "Book_1991/p108.pml",
    "Exercises/ex_6.pml",
    "LTL/ltl_gen.pml",
    "LTL/petersonN.pml",
    "life.pml",
];

/// Models that have a violation.
pub const FAULTY: &[&str] = &[
    "Book_1991/p101.pml",
    "Book_1991/p105.1.pml",
    "Book_1991/p107.pml",
    "Book_1991/p116.pml",
    "Book_1991/p117.pml",
    "Book_1991/p312.pml",
    "Book_1991/p319.pml",
    "Book_1991/p96.1.pml",
    "Book_1991/p97.1.pml",
    "Exercises/ex_1f.pml",
    "Exercises/ex_3c.pml",
    "Exercises/ex_4.pml",
    "LTL/salesman1.pml",
    "LTL/salesman2.pml",
    "for_select_example.pml",
    "hajek.pml",
    "pathfinder.pml",
    "sat.pml",
    "snoopy.pml",
    "test_mtype.pml",
    "werkplaats.pml",
];

#[derive(Clone, Debug)]
pub struct PackagedModel {
    /// Its path below the folder of examples, without what all have in common: `LTL/leader.pml`.
    pub name: String,
    pub path: PathBuf,
}

impl PackagedModel {
    pub fn source(&self) -> Source {
        Source::file(&self.path).expect("a file of the package")
    }

    pub fn is_slow(&self) -> bool {
        SLOW.contains(&self.name.as_str())
    }
}

/// The models of the package in the order of their names; files that only serve to be included by others
/// (`.h`) are left out. Nothing, with a word about it, where the package is not installed.
#[allow(clippy::print_stderr)]
pub fn packaged_models() -> Vec<PackagedModel> {
    let root = Path::new("/usr/share/doc/spin/examples/Examples");
    let mut models = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else { continue };
        for entry in entries.flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
            let name = name.strip_suffix(".gz").unwrap_or(&name).to_owned();
            if name.ends_with(".pml") {
                models.push(PackagedModel { name, path });
            }
        }
    }
    models.sort_by(|one, other| one.name.cmp(&other.name));
    if models.is_empty() {
        let required = std::env::var("WHEREFORE_REQUIRE_TOOLS").is_ok_and(|value| value == "1");
        assert!(!required, "the models of SPIN's package are required and missing");
        eprintln!("skipped: no models in {}", root.display());
    }
    models
}
