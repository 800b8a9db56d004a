//! The file formats, by name, by file ending and by the first bytes.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::scan::skip_white;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// Aldebaran's text format, as CADP and mCRL2 write it.
    Aut,
    /// A state graph dumped by TLC, or any other directed graph in the DOT language.
    TlcDot,
    /// A list of edges with comma-separated values.
    Csv,
    /// mCRL2's format with state parameters.
    Fsm,
    /// Our own format, which holds everything.
    Json,
}

#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown format {0:?}: expected aut, dot, csv, fsm or json")]
pub struct UnknownFormat(String);

impl Format {
    pub const ALL: [Self; 5] = [Self::Aut, Self::TlcDot, Self::Csv, Self::Fsm, Self::Json];

    /// The name on a command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Aut => "aut",
            Self::TlcDot => "dot",
            Self::Csv => "csv",
            Self::Fsm => "fsm",
            Self::Json => "json",
        }
    }

    /// The format of files with this ending, given without its dot.
    pub fn from_extension(extension: &str) -> Option<Self> {
        match extension.to_ascii_lowercase().as_str() {
            "aut" => Some(Self::Aut),
            "dot" | "gv" => Some(Self::TlcDot),
            "csv" | "tsv" => Some(Self::Csv),
            "fsm" => Some(Self::Fsm),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The format these contents look like. Looks at the first few kilobytes only.
    pub fn detect(contents: &[u8]) -> Option<Self> {
        let contents = contents.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(contents);
        let start = &contents[..contents.len().min(1 << 12)];
        let start = &start[skip_white(start, 0)..];
        let word_length = start.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let (word, rest) = start.split_at(word_length);
        let after_word = rest.trim_ascii_start().first().copied();
        if word == b"des" && after_word == Some(b'(') {
            return Some(Self::Aut);
        }
        let comment = start.strip_prefix(b"#").unwrap_or_default().trim_ascii_start();
        if comment.get(..8).is_some_and(|key| key.eq_ignore_ascii_case(b"initial:")) {
            return Some(Self::Csv);
        }
        if start.first() == Some(&b'{') {
            return Some(Self::Json);
        }
        let dot_words: [&[u8]; 3] = [b"strict", b"digraph", b"graph"];
        let in_dot =
            dot_words.iter().any(|known| word.eq_ignore_ascii_case(known)) && after_word != Some(b',');
        if in_dot || start.starts_with(b"//") || start.starts_with(b"/*") {
            return Some(Self::TlcDot);
        }
        let mut lines = start.split(|byte| *byte == b'\n').map(<[u8]>::trim_ascii);
        let line = lines.find(|line| !line.is_empty() && !line.starts_with(b"#"))?;
        if line == b"---" || is_fsm_parameter(line) {
            return Some(Self::Fsm);
        }
        b",;\t".iter().any(|separator| is_csv_row(line, *separator)).then_some(Self::Csv)
    }
}

/// Whether a line has at least three fields, the first two of them words, as names of states and columns are: prose has
/// commas, too.
fn is_csv_row(line: &[u8], separator: u8) -> bool {
    let mut fields = line.split(|byte| *byte == separator).map(<[u8]>::trim_ascii);
    let mut is_word = || fields.next().is_some_and(|field| !field.iter().any(u8::is_ascii_whitespace));
    is_word() && is_word() && fields.next().is_some()
}

/// Whether a line starts like `name(3) Type "value"`.
fn is_fsm_parameter(line: &[u8]) -> bool {
    let Some(open) = memchr::memchr(b'(', line) else { return false };
    let Some(close) = memchr::memchr(b')', &line[open..]) else { return false };
    let cardinality = line[open + 1..open + close].trim_ascii();
    let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_'@ \t".contains(byte);
    open > 0
        && line[..open].iter().all(is_name)
        && !cardinality.is_empty()
        && cardinality.iter().all(u8::is_ascii_digit)
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        let known = |format: &Self| format.name().eq_ignore_ascii_case(name);
        Self::ALL.into_iter().find(known).ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_go_both_ways() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
            assert_eq!(Format::from_extension(format.name()), Some(format));
        }
        assert!("promela".parse::<Format>().is_err());
        assert_eq!(Format::from_extension("DOT"), Some(Format::TlcDot));
        assert_eq!(Format::from_extension("pml"), None);
    }

    #[test]
    fn contents_tell_their_format() {
        let cases: [(&[u8], Option<Format>); 16] = [
            (b"des (0,1,2)\n", Some(Format::Aut)),
            (b"\xEF\xBB\xBF\r\n des(0,1,2)", Some(Format::Aut)),
            (b"strict digraph DiskGraph {", Some(Format::TlcDot)),
            (b"digraph{", Some(Format::TlcDot)),
            (b"// made by hand\ndigraph {", Some(Format::TlcDot)),
            (b"src,dst,label\n", Some(Format::Csv)),
            (b"# initial: 3\n3;4;a\n", Some(Format::Csv)),
            (b"a\tb\tc", Some(Format::Csv)),
            (b"graph,b,c", Some(Format::Csv)),
            (b"b(2) Bool \"F\" \"T\"\n---\n", Some(Format::Fsm)),
            (b"---\n---\n1 2 \"a\"", Some(Format::Fsm)),
            (b" {\"format\":", Some(Format::Json)),
            (b"To whom it may concern, and others, too: a letter", None),
            (b"", None),
            (b"active proctype P() { skip }", None),
            (b"\x7fELF\x02\x01\x01\x00", None),
        ];
        for (contents, format) in cases {
            assert_eq!(Format::detect(contents), format, "{}", contents.escape_ascii());
        }
    }
}
