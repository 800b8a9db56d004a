//! Files in: mapped into memory where possible, read where not.

use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::sync::OnceLock;

use anyhow::{Context, Result};
use memmap2::Mmap;

use super::host::message;

/// The bytes of a file or of standard input.
#[derive(Debug)]
pub(crate) enum Bytes {
    Mapped(Mmap),
    Read(Vec<u8>),
    /// Standard input.
    Input(&'static [u8]),
}

impl std::ops::Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Self::Mapped(map) => map,
            Self::Read(bytes) => bytes,
            Self::Input(bytes) => bytes,
        }
    }
}

pub(crate) fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
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
    if metadata.is_file() && metadata.len() > 0 {
        // SAFETY: the map is only read. Should another program shrink the file meanwhile, the system
        // ends this one with a bus error; every tool that maps its input takes that risk.
        #[allow(unsafe_code, reason = "a map is the only way to read a file without copying it")]
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

/// Writes through `write` to a file or standard output. A file appears, or is replaced, only when all
/// of it is written.
pub(crate) fn create(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let cannot = || format!("{} cannot be written", path.display());
    if is_standard_stream(path) {
        let mut out = std::io::BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
        write(&mut out)?;
        return out.flush().with_context(cannot);
    }
    // What is no plain file (a pipe, a device) cannot be replaced.
    if path.metadata().is_ok_and(|known| !known.is_file()) {
        let mut out = std::io::BufWriter::new(File::create(path).with_context(cannot)?);
        write(&mut out)?;
        return out.flush().with_context(cannot);
    }
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".part{}", std::process::id()));
    let part = path.with_file_name(name);
    let mut out = std::io::BufWriter::with_capacity(1 << 16, File::create(&part).with_context(cannot)?);
    let written = write(&mut out).and_then(|()| out.flush().with_context(cannot));
    drop(out);
    if let Err(error) = written {
        let _ = std::fs::remove_file(&part);
        return Err(error);
    }
    std::fs::rename(&part, path).with_context(cannot)
}

/// Says at once that a file cannot be written because its folder is not there.
pub(crate) fn refuse_missing_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !is_standard_stream(path) && !folder.is_dir()) {
        Some(folder) => {
            anyhow::bail!("{} cannot be written: there is no folder {}", path.display(), folder.display())
        }
        None => Ok(()),
    }
}

/// Whether two paths name one file.
pub(crate) fn same_file(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}
