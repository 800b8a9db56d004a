//! The report as a page: where it is written, and how it comes before somebody's eyes.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Result, bail};
use report::Report;

use super::messages::message;
use super::{input, written};

/// How large a file may be that is read to be shown.
const LARGEST: u64 = 64 << 20;

/// Writes the page to a file or standard output, and opens it if that is wanted.
pub(crate) fn show(report: &Report, read: &[PathBuf], output: Option<&Path>, open: bool) -> Result<()> {
    let path = match output {
        Some(path) if open && written::is_standard_stream(path) => {
            bail!("--open needs a file: leave -o out, or name one")
        }
        Some(path) => path.to_owned(),
        None if open => temporary(report),
        None => PathBuf::from("-"),
    };
    // A `#line` may name any file, and what was not read as a source is nobody's business.
    let is_source = |name: &str| read.iter().any(|path| path == Path::new(name));
    let sources = report::html::sources(report, |name| is_source(name).then(|| text(name)).flatten());
    written::create(&path, |out| Ok(report::html::render(report, &sources, out)?))?;
    if open {
        let path = path.canonicalize().unwrap_or(path);
        message(&format!("report: {}", path.display()));
        if !launch(&path) {
            message("no browser could be started; open the file by hand");
        }
    }
    Ok(())
}

/// The text of a file that the report names; none where it is no plain file any more.
fn text(name: &str) -> Option<String> {
    let path = Path::new(name);
    let is_readable = || path.metadata().is_ok_and(|known| known.is_file() && known.len() <= LARGEST);
    if !written::is_standard_stream(path) && !is_readable() {
        return None;
    }
    Some(String::from_utf8_lossy(&input::open(path).ok()?).into_owned())
}

/// A name of its own in the folder for temporary files.
fn temporary(report: &Report) -> PathBuf {
    let stem = Path::new(&report.input.path).file_stem().and_then(|stem| stem.to_str()).unwrap_or("report");
    let plain: String =
        stem.chars().filter(|letter| letter.is_ascii_alphanumeric() || *letter == '_').collect();
    std::env::temp_dir().join(format!("wherefore-{plain}-{}.html", std::process::id()))
}

/// Starts what the user or the system opens pages with; tells whether something was found.
fn launch(path: &Path) -> bool {
    let own = std::env::var("BROWSER").ok().filter(|browser| !browser.is_empty());
    let usual: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["explorer"]]
    } else {
        &[&["xdg-open"], &["sensible-browser"], &["x-www-browser"]]
    };
    let own = own.iter().map(|browser| browser.split_whitespace().collect::<Vec<_>>());
    let mut commands = own.chain(usual.iter().map(|words| words.to_vec()));
    commands.any(|words| {
        let Some((program, arguments)) = words.split_first() else { return false };
        let mut command = Command::new(program);
        command.args(arguments).arg(path).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // The browser stays when this program is done.
        command.spawn().is_ok()
    })
}
