//! Which language an input is in.

use std::path::Path;

use anyhow::{Result, anyhow, bail};
use lts::Format;

use crate::disk::text_of;

const PROMELA: [&str; 5] = ["pml", "pm", "prom", "promela", "spin"];

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
        let name = path.display();
        if let Some(language) = Self::of_extension(extension) {
            if let Some(kind) = binary(bytes) {
                bail!("{name}:1:1: this is {kind}, not a text");
            }
            return Ok(language);
        }
        match extension {
            "bcg" => bail!("{name}: BCG files are not read; `bcg_io model.bcg model.aut` converts them"),
            "lts" => bail!("{name}: .lts files are not read; `ltsconvert model.lts model.aut` converts them"),
            "gz" | "zst" | "xz" | "bz2" => {
                bail!("{name}: compressed files are not read; pipe it: `zcat FILE | wherefore -`")
            }
            _ => {}
        }
        let name = if path.as_os_str() == "-" { "standard input".to_owned() } else { name.to_string() };
        if let Some(kind) = binary(bytes) {
            bail!("{name} is {kind}; models, programs and transition systems are texts");
        }
        Self::of_content(bytes).ok_or_else(|| {
            anyhow!("{name}: neither its name nor its content tells what kind of file it is: use --lang")
        })
    }

    /// The language that a text seems to be in. Its words tell more than the signs it begins with, unless these belong to
    /// one format only.
    fn of_content(bytes: &[u8]) -> Option<Self> {
        let format = Format::detect(bytes);
        let start = text_of(&bytes[..bytes.len().min(1 << 16)]);
        let is_graph = matches!(format, Some(Format::Aut | Format::Json))
            || ["digraph", "strict"].iter().any(|word| start.trim_start().starts_with(word));
        match (is_graph, format) {
            (false, _) if looks_like_promela(&start) => Some(Self::Promela),
            (false, _) if looks_like_c(&start) => Some(Self::C),
            (_, format) => format.map(Self::Graph),
        }
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

/// What sort of file that is no text begins with these bytes.
fn binary(bytes: &[u8]) -> Option<&'static str> {
    const KINDS: [(&[u8], &str); 6] = [
        (b"\x7fELF", "a binary file (an executable or object file)"),
        (b"\x1f\x8b", "a binary file (compressed with gzip: pipe it, `zcat FILE | wherefore -`)"),
        (b"\x28\xb5\x2f\xfd", "a binary file (compressed with zstd: pipe it, `zstdcat FILE | wherefore -`)"),
        (b"\xfd7zXZ", "a binary file (compressed with xz: pipe it, `xzcat FILE | wherefore -`)"),
        (b"PK\x03\x04", "a binary file (a zip archive)"),
        (b"\xca\xfe\xba\xbe", "a binary file (a class file or Mach-O)"),
    ];
    let known = KINDS.iter().find(|(magic, _)| bytes.starts_with(magic));
    let has_zero = || bytes[..bytes.len().min(1 << 16)].contains(&0);
    known.map(|(_, kind)| *kind).or_else(|| has_zero().then_some("a binary file"))
}

/// Whether a word stands in the text that every model has: `proctype`, or `init` before a brace.
fn looks_like_promela(start: &str) -> bool {
    let mut words = start.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    words.any(|word| word == "proctype")
        || start.split("init").skip(1).any(|rest| rest.trim_start().starts_with('{'))
}

/// Whether the text has what every program has: a function `main`.
fn looks_like_c(start: &str) -> bool {
    let mut rest = start.split("main").skip(1);
    let has_main = rest.any(|rest| rest.trim_start().starts_with('('));
    has_main && (start.contains("#include") || start.contains("int") || start.contains("void"))
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
        assert_eq!(of("-", "init { skip }"), Some(Language::Promela));
        assert_eq!(
            of("model.xyz", "/* a lock */ byte a, b, c;\nactive proctype P() { skip }"),
            Some(Language::Promela)
        );
        assert_eq!(of("model.spin", ""), Some(Language::Promela));
        assert_eq!(of("-", "/* a */ int main(void) { return 0; }"), Some(Language::C));
        assert_eq!(
            of("-", "digraph G { 0 -> 1 [label=\"proctype\"] }"),
            Some(Language::Graph(Format::TlcDot))
        );
        assert_eq!(of("a.bcg", "des (0, 0, 1)\n"), None);
        assert_eq!(of("notes", "nothing known"), None);
        let why =
            |path: &str, bytes: &[u8]| Language::of_file(Path::new(path), bytes).unwrap_err().to_string();
        assert!(why("a.out", b"\x7fELF\x02\x01").starts_with("a.out is a binary file (an executable"));
        assert!(why("model.pml", b"abc\0def").starts_with("model.pml:1:1: this is a binary file"));
    }
}
