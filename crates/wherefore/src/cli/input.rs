//! Files in. They are read and not mapped: another program may cut a file short while it is looked at, which must
//! not end this one.

use std::fs::File;
use std::io::{IsTerminal, Read};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result};

use super::messages::message;
use super::written::is_standard_stream;

/// The bytes of a file or of standard input.
#[derive(Debug)]
pub(crate) enum Bytes {
    Read(Vec<u8>),
    /// Standard input.
    Input(&'static [u8]),
}

impl std::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Read(bytes) => bytes,
            Self::Input(bytes) => bytes,
        }
    }
}

pub(crate) fn open(path: &Path) -> Result<Bytes> {
    if is_standard_stream(path) {
        // It can be read only once, but somebody may look at it first to see what it is.
        static INPUT: OnceLock<Vec<u8>> = OnceLock::new();
        if INPUT.get().is_none() {
            if std::io::stdin().is_terminal() {
                message("reading from the terminal; Ctrl-D ends the input");
            }
            let mut bytes = Vec::new();
            std::io::stdin().lock().read_to_end(&mut bytes).context("standard input cannot be read")?;
            let _ = INPUT.set(bytes);
        }
        return Ok(Bytes::Input(INPUT.get().map_or(&[], Vec::as_slice)));
    }
    let name = path.display();
    let mut file = File::open(path).with_context(|| format!("{name} cannot be opened"))?;
    let metadata = file.metadata().with_context(|| format!("{name} cannot be read"))?;
    if metadata.is_dir() {
        anyhow::bail!("{name} is a folder");
    }
    // With the size that is known before, nothing is copied while it is read.
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).with_context(|| format!("{name} cannot be read"))?;
    Ok(Bytes::Read(bytes))
}

/// A small text file, such as a formula.
pub(crate) fn open_text(path: &Path) -> Result<String> {
    let bytes = open(path)?;
    String::from_utf8(bytes.to_vec()).with_context(|| format!("{} is not UTF-8 text", path.display()))
}
