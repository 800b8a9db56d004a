//! Which language an input is in.

use std::path::Path;

use anyhow::{Result, bail};
use lts::Format;

use crate::disk::text_of;

const PROMELA: [&str; 4] = ["pml", "pm", "prom", "promela"];

/// A language that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// A model for SPIN.
    Promela,
    /// A C program.
    C,
    /// A Java program: its text, a class file or an archive.
    Java,
    /// A transition system in this format.
    Graph(Format),
}

impl Language {
    /// The language of a file, by its name or else by its content.
    ///
    /// # Errors
    /// If neither tells, or if it is one that other tools have to convert.
    pub fn of_file(path: &Path, bytes: &[u8]) -> Result<Self> {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        if let Some(language) = Self::of_extension(extension) {
            return Ok(language);
        }
        let name = path.display();
        match extension {
            "bcg" => bail!("{name}: BCG files are not read; `bcg_io model.bcg model.aut` converts them"),
            "lts" => bail!("{name}: .lts files are not read; `ltsconvert model.lts model.aut` converts them"),
            "gz" | "zst" | "xz" | "bz2" => {
                bail!("{name}: compressed files are not read; pipe it: `zcat FILE | wherefore -`")
            }
            _ => {}
        }
        if let Some(format) = Format::detect(bytes) {
            return Ok(Self::Graph(format));
        }
        // What comes from a pipe may be anything.
        if path.as_os_str() != "-" && looks_like_promela(bytes) {
            return Ok(Self::Promela);
        }
        bail!("{name}: neither its name nor its content tells what kind of file it is: say --lang")
    }

    /// The language that the ending of a name stands for.
    fn of_extension(extension: &str) -> Option<Self> {
        if matches!(extension, "c" | "i") {
            return Some(Self::C);
        }
        if matches!(extension, "java" | "class" | "jar") {
            return Some(Self::Java);
        }
        if PROMELA.iter().any(|known| extension.eq_ignore_ascii_case(known)) {
            return Some(Self::Promela);
        }
        Format::from_extension(extension).map(Self::Graph)
    }
}

/// Whether a word stands in the text that every model has: `proctype`, or `init` before a brace.
fn looks_like_promela(bytes: &[u8]) -> bool {
    let start = text_of(&bytes[..bytes.len().min(1 << 16)]);
    let mut words = start.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| word == "proctype")
        || start.split("init").skip(1).any(|rest| rest.trim_start().starts_with('{'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_before_contents() {
        let of = |path: &str, text: &str| Language::of_file(Path::new(path), text.as_bytes()).ok();
        assert_eq!(of("a.PML", ""), Some(Language::Promela));
        assert_eq!(of("A.java", "init { skip }"), Some(Language::Java));
        assert_eq!(of("a.c", "des (0, 0, 1)"), Some(Language::C));
        assert_eq!(of("a.aut", "active proctype p() { skip }"), Some(Language::Graph(Format::Aut)));
        assert_eq!(of("model", "des (0, 0, 1)\n"), Some(Language::Graph(Format::Aut)));
        assert_eq!(of("model", "init { skip }"), Some(Language::Promela));
        assert_eq!(of("-", "init { skip }"), None);
        assert_eq!(of("a.bcg", "des (0, 0, 1)\n"), None);
        assert_eq!(of("notes", "nothing known"), None);
    }
}
