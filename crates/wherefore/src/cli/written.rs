//! Files out: whole or not at all, through links, to devices, and never over what was read.

use std::ffi::OsString;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use super::ending;

/// How many symbolic links lead to a file at most.
const LINKS: usize = 40;
const BUFFER: usize = 1 << 16;

/// Names of standard output besides `-`.
const STANDARD_OUTPUT: [&str; 3] = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"];

/// Whether a path leads to devices and open files, of which the system alone knows what they are.
fn is_of_the_system(path: &Path) -> bool {
    // Memory that is used like a folder is one.
    let is_folder = path.starts_with("/dev/shm");
    !is_folder && ["/dev", "/proc"].iter().any(|folder| path.starts_with(folder))
}

pub(crate) fn is_standard_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes through `write` to a file or standard output. A file appears, or is replaced, only when all
/// of it is written.
pub(crate) fn create(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let cannot = || format!("{} cannot be written", path.display());
    let file = behind_links(path).with_context(cannot)?;
    if is_standard_stream(path) || STANDARD_OUTPUT.iter().any(|name| file == Path::new(name)) {
        let mut out = BufWriter::with_capacity(BUFFER, std::io::stdout().lock());
        ending::finishing();
        let written = write(&mut out).and_then(|()| Ok(out.flush()?));
        return written.context("standard output cannot be written");
    }
    let known = file.metadata().ok();
    // What is no plain file (a pipe, a device) cannot be replaced, nor what somebody else has open.
    if known.as_ref().is_some_and(|known| !known.is_file()) || is_of_the_system(&file) {
        let device = OpenOptions::new().append(true).open(&file).with_context(cannot)?;
        let mut out = BufWriter::with_capacity(BUFFER, device);
        ending::finishing();
        return write(&mut out).and_then(|()| Ok(out.flush()?)).with_context(cannot);
    }
    remove_abandoned(&file);
    let part = Part::beside(&file, known.as_ref()).with_context(cannot)?;
    let mut out = BufWriter::with_capacity(BUFFER, &part.file);
    ending::finishing();
    write(&mut out).and_then(|()| Ok(out.flush()?)).with_context(cannot)?;
    drop(out);
    part.take_the_place_of(&file).with_context(cannot)
}

/// The file that a path leads to, which need not exist yet.
fn behind_links(path: &Path) -> std::io::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        if !path.is_symlink() || is_of_the_system(&path) {
            return Ok(path);
        }
        let target = std::fs::read_link(&path)?;
        path = path.parent().map_or_else(|| target.clone(), |folder| folder.join(&target));
    }
    Err(std::io::Error::other("too many symbolic links lead to it"))
}

/// A file that is being written beside the one whose place it will take; it is gone if that does not come about.
#[derive(Debug)]
struct Part {
    file: File,
    path: PathBuf,
}

impl Part {
    fn beside(whole: &Path, known: Option<&Metadata>) -> std::io::Result<Self> {
        let path = whole.with_file_name(part_name(whole, &std::process::id().to_string()));
        // Whoever may write here might have put something in the way, which is not followed.
        let file = OpenOptions::new().write(true).create_new(true).open(&path)?;
        ending::unfinished(Some(&path));
        let part = Self { file, path };
        if let Some(known) = known {
            part.keep_owner(known);
            part.file.set_permissions(known.permissions())?;
        }
        Ok(part)
    }

    /// Leaves a file to whom it belongs, as far as that is allowed.
    #[cfg(unix)]
    fn keep_owner(&self, known: &Metadata) {
        use std::os::unix::fs::{MetadataExt as _, fchown};
        let own = self.file.metadata().map(|own| (own.uid(), own.gid()));
        if !own.is_ok_and(|own| own == (known.uid(), known.gid())) {
            let _ = fchown(&self.file, Some(known.uid()), Some(known.gid()));
        }
    }

    #[cfg(not(unix))]
    fn keep_owner(&self, _: &Metadata) {}

    fn take_the_place_of(self, whole: &Path) -> std::io::Result<()> {
        self.file.sync_all()?;
        std::fs::rename(&self.path, whole)
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        // After it was renamed there is nothing of this name.
        let _ = std::fs::remove_file(&self.path);
        ending::unfinished(None);
    }
}

/// What a file is called while it is written.
fn part_name(whole: &Path, process: &str) -> OsString {
    let mut name = whole.file_name().unwrap_or_default().to_os_string();
    name.push(format!(".part{process}"));
    name
}

/// Removes what runs left behind that were killed while they wrote this file.
fn remove_abandoned(whole: &Path) {
    // Without a table of processes nobody can tell who is still writing.
    let processes = Path::new("/proc/self");
    let folder = whole.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (true, Ok(entries)) = (processes.exists(), std::fs::read_dir(folder)) else { return };
    let prefix = part_name(whole, "");
    for entry in entries.flatten() {
        let name = entry.file_name();
        let process = name.as_encoded_bytes().strip_prefix(prefix.as_encoded_bytes());
        let is_number = |word: &&[u8]| !word.is_empty() && word.iter().all(u8::is_ascii_digit);
        let process = process.filter(is_number).and_then(|word| std::str::from_utf8(word).ok());
        let is_over = |process: &str| {
            !Path::new("/proc").join(process).exists() || process == std::process::id().to_string()
        };
        if process.is_some_and(is_over) {
            let _ = std::fs::remove_file(entry.path());
        }
    }
}

/// Says at once that a file cannot be written because its folder is not there.
pub(crate) fn refuse_missing_folder(path: &Path) -> Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| !is_standard_stream(path) && !folder.is_dir()) {
        Some(folder) => {
            bail!("{} cannot be written: there is no folder {}", path.display(), folder.display())
        }
        None => Ok(()),
    }
}

/// Refuses to write over a file that is read.
pub(crate) fn refuse_overwriting<'a>(
    output: Option<&Path>,
    inputs: impl IntoIterator<Item = &'a Path>,
) -> Result<()> {
    let Some(output) = output.filter(|output| !is_standard_stream(output)) else { return Ok(()) };
    match inputs.into_iter().find(|input| is_same_file(output, input)) {
        Some(input) => bail!("the report would overwrite {}", input.display()),
        None => Ok(()),
    }
}

/// Whether two paths name one plain file, be it by links.
fn is_same_file(one: &Path, other: &Path) -> bool {
    let (Ok(first), Ok(second)) = (one.metadata(), other.metadata()) else { return false };
    first.is_file() && second.is_file() && (is_same(&first, &second) || is_same_path(one, other))
}

fn is_same_path(one: &Path, other: &Path) -> bool {
    matches!((one.canonicalize(), other.canonicalize()), (Ok(one), Ok(other)) if one == other)
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_: &Metadata, _: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report.txt");
        std::fs::write(&path, "old").unwrap();
        // Of a process that cannot be, and of names that only look alike.
        for name in ["report.txt.part4294967295", "report.txt.part", "report.txt.partial"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let failed = create(&path, |out| {
            out.write_all(b"half")?;
            bail!("no more")
        });
        assert_eq!(
            format!("{:#}", failed.unwrap_err()),
            format!("{} cannot be written: no more", path.display())
        );
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "old");
        let mut left: Vec<_> =
            std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, ["report.txt", "report.txt.part", "report.txt.partial"]);
    }
}
