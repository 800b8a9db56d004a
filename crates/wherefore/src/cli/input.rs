//! Files in: mapped into memory where possible, read where not.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, Result};
use memmap2::Mmap;

/// The bytes of a file or of standard input.
#[derive(Debug)]
pub(crate) enum Bytes {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl std::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
        }
    }
}

pub(crate) fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

pub(crate) fn open(path: &Path) -> Result<Bytes> {
    if is_standard_stream(path) {
        let mut bytes = Vec::new();
        std::io::stdin().lock().read_to_end(&mut bytes).context("standard input cannot be read")?;
        return Ok(Bytes::Read(bytes));
    }
    let name = path.display();
    let mut file = File::open(path).with_context(|| format!("{name} cannot be opened"))?;
    let metadata = file.metadata().with_context(|| format!("{name} cannot be read"))?;
    if metadata.is_dir() {
        anyhow::bail!("{name} is a folder");
    }
    if metadata.is_file() && metadata.len() > 0 {
        // SAFETY: the map is only read. Should another program shrink the file meanwhile, the system
        // ends this one with a bus error; every tool that maps its input takes that risk.
        #[allow(unsafe_code)]
        if let Ok(map) = unsafe { Mmap::map(&file) } {
            return Ok(Bytes::Mapped(map));
        }
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).with_context(|| format!("{name} cannot be read"))?;
    Ok(Bytes::Read(bytes))
}

/// A small text file, such as a formula.
pub(crate) fn open_text(path: &Path) -> Result<String> {
    let bytes = open(path)?;
    String::from_utf8(bytes.to_vec()).with_context(|| format!("{} is not UTF-8 text", path.display()))
}

/// Writes through `write` to a file or standard output.
pub(crate) fn create(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let sink: Box<dyn Write> = if is_standard_stream(path) {
        Box::new(std::io::stdout().lock())
    } else {
        Box::new(File::create(path).with_context(|| format!("{} cannot be written", path.display()))?)
    };
    let mut out = std::io::BufWriter::with_capacity(1 << 16, sink);
    write(&mut out)?;
    out.flush().with_context(|| format!("{} cannot be written", path.display()))
}
