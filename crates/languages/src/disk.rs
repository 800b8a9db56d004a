//! Texts on the disk, for those that a text includes.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use preprocess::{Files, Unread};

/// Files on the disk.
#[derive(Clone, Copy, Debug)]
pub struct Disk;

impl Files for Disk {
    fn read(&self, path: &Path) -> Result<Arc<str>, Unread> {
        match std::fs::read(path) {
            Ok(bytes) => Ok(text_of(&bytes).into()),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Unread::Missing),
            Err(error) => Err(Unread::Failed(error.to_string())),
        }
    }
}

/// The text of a file, without the mark that some editors put before it.
pub fn text_of(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes))
}
