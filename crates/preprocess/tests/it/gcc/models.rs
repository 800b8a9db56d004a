//! The models of SPIN's package that use directives, wherever Debian put them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use preprocess::{Files, Options, Unread, preprocess};

use super::{Agreement, gcc, gcc_is_there, normal};

const EXAMPLES: &str = "/usr/share/doc/spin/examples";

/// The files of the machine.
struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        match std::fs::read(path) {
            Ok(bytes) => Ok(String::from_utf8_lossy(&bytes).into()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Unread::Missing),
            Err(error) => Err(Unread::Failed(error.to_string())),
        }
    }
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn packaged_models_come_out_as_from_gcc() {
    let mut paths = Vec::new();
    files(Path::new(EXAMPLES), &mut paths);
    paths.sort();
    if paths.is_empty() {
        println!("skipped: SPIN's examples are not in {EXAMPLES}");
    }
    if paths.is_empty() || !gcc_is_there() {
        return;
    }
    let mut compared = 0;
    for path in paths {
        let Ok(text) = Disk.read(&path) else { continue };
        if !text.lines().any(|line| line.trim_start().starts_with('#')) {
            continue;
        }
        let ours = preprocess(&Disk, &path, text.clone(), &Options::default());
        match gcc(&text, path.parent().unwrap_or(Path::new("/"))) {
            Ok(theirs) => {
                assert!(!ours.has_errors(), "{}: {:?}", path.display(), ours.diagnostics);
                let agreement = Agreement::Tokens;
                assert_eq!(normal(&ours.text, agreement), normal(&theirs, agreement), "{}", path.display());
                compared += 1;
            }
            Err(complaints) => assert!(ours.has_errors(), "{}: {complaints}", path.display()),
        }
    }
    println!("{compared} models compared");
    assert!(compared >= 30);
}
