//! Real input files that are not part of the repository.

use std::path::{Path, PathBuf};

/// The folder `name` of the test data: under the folder that the environment variable
/// `WHEREFORE_TEST_DATA` names, or else in `../shared/data` beside the repository. Says so and
/// returns nothing where it is absent.
#[allow(clippy::print_stderr)]
pub fn data_folder(name: &str) -> Option<PathBuf> {
    let root = std::env::var_os("WHEREFORE_TEST_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let folder = root.join(name);
    if folder.is_dir() {
        return Some(folder);
    }
    eprintln!("skipped: no test data in {}", folder.display());
    None
}
