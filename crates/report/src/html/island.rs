//! Data inside of a page. A script element ends at the first `</script`, whatever stands around it, and begins to
//! be read in another way at `<!--`; so no `<` is ever written. JSON needs none outside of strings, and inside of
//! them every character can be spelled by its number.

use std::io;

use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};

struct Inert;

/// What is spelled by its number: what means something to a page, and what ends a line only in scripts.
fn is_spelled_out(letter: char) -> bool {
    matches!(letter, '<' | '>' | '&' | '\'' | '\u{2028}' | '\u{2029}')
}

impl Formatter for Inert {
    fn write_string_fragment<W: ?Sized + io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, letter)) = rest.char_indices().find(|(_, letter)| is_spelled_out(*letter)) {
            out.write_all(&rest.as_bytes()[..at])?;
            write!(out, "\\u{:04x}", u32::from(letter))?;
            rest = &rest[at + letter.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}

pub(super) fn write(data: &impl Serialize, out: &mut dyn io::Write) -> io::Result<()> {
    Ok(data.serialize(&mut Serializer::with_formatter(out, Inert))?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn nothing_ends_the_element_and_everything_is_read_back() {
        let hostile = [
            "</script><script>alert(1)</script>",
            "<!-- <script>",
            "]]>&lt;\u{2028}\u{2029}'\"\\\u{0}\u{1f}\u{7f}\u{202e}",
            "",
            "plain",
        ];
        let data: BTreeMap<&str, &str> = hostile.iter().map(|text| (*text, *text)).collect();
        let mut written = Vec::new();
        write(&data, &mut written).expect("a vector takes everything");
        let text = String::from_utf8(written).expect("JSON is UTF-8");
        assert!(!text.contains(['<', '>', '&', '\'', '\u{2028}', '\u{2029}']), "{text}");
        let back: BTreeMap<String, String> = serde_json::from_str(&text).expect("JSON");
        assert_eq!(back, hostile.iter().map(|text| (text.to_string(), text.to_string())).collect());
    }
}
