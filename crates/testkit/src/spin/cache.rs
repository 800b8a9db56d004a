//! Verdicts are kept under `target/spin-cache`, because compiling a verifier takes a second and the same
//! models are verified again in every run of the tests. A verdict is found by the hash of all it depends on.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};

use super::{Options, Refusal, Source, Verdict};

/// Changes with the meaning of what is kept.
const FORMAT: u32 = 3;

pub(super) fn key(version: &str, source: &Source, options: &Options) -> String {
    let half = |salt: u32| {
        let mut hasher = DefaultHasher::new();
        (salt, FORMAT, version, source, options).hash(&mut hasher);
        hasher.finish()
    };
    format!("{:016x}{:016x}", half(0), half(1))
}

fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"), PathBuf::from);
    target.join("spin-cache")
}

pub(super) fn read(key: &str) -> Option<Result<Verdict, Refusal>> {
    let bytes = std::fs::read(folder().join(key)).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// Keeps a verdict. Without a place to keep it, it is found anew the next time.
pub(super) fn write(key: &str, verdict: &Result<Verdict, Refusal>) {
    let folder = folder();
    let Ok(text) = serde_json::to_vec(verdict) else { return };
    if std::fs::create_dir_all(&folder).is_err() {
        return;
    }
    // Renamed into place, so that tests that run at the same time never read half a file.
    if let Ok(file) = tempfile::NamedTempFile::new_in(&folder)
        && std::fs::write(file.path(), text).is_ok()
    {
        let _ = file.persist(folder.join(key));
    }
}
