//! Where included text comes from. The crate touches no files; whoever calls it does.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Gives the text of a file that is to be included.
pub trait Files {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread>;
}

/// Why a file was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unread {
    /// There is none of this name, so the search goes on in the next folder.
    Missing,
    /// It is there, but cannot be read for this reason.
    Failed(String),
}

/// No file at all: every `#include` is an error.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _: &Path) -> Result<Arc<str>, Unread> {
        Err(Unread::Missing)
    }
}

impl Files for BTreeMap<PathBuf, Arc<str>> {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        self.get(path).cloned().ok_or(Unread::Missing)
    }
}
