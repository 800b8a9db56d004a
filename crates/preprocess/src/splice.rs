//! Lines that go on: a backslash at the end of a line joins it with the next, wherever it stands, even
//! in the middle of a word (translation phase 2 of C).
//!
//! The joined text is made once for a file, so that nothing else has to know about it, and a table of
//! the places where bytes were left out leads back to the original. Files without such lines, the
//! usual case, are not copied.

use std::sync::Arc;

/// A text with its continued lines joined.
#[derive(Debug)]
pub(crate) struct Joined {
    text: Arc<str>,
    /// Ascending: an offset in the joined text, and how many bytes were left out before it.
    cuts: Vec<(usize, usize)>,
}

impl Joined {
    pub(crate) fn new(original: &Arc<str>) -> Self {
        let bytes = original.as_bytes();
        let mut joined = String::new();
        let mut cuts = Vec::new();
        let mut kept = 0;
        let mut from = 0;
        while let Some(found) = original[from..].find('\\') {
            let backslash = from + found;
            from = backslash + 1;
            // Blanks between the backslash and the end of the line do not count, as in gcc.
            let blanks = bytes[from..].iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count();
            if bytes.get(from + blanks) != Some(&b'\n') {
                continue;
            }
            joined.push_str(&original[kept..backslash]);
            kept = from + blanks + 1;
            from = kept;
            cuts.push((joined.len(), kept - joined.len()));
        }
        if cuts.is_empty() {
            return Self { text: original.clone(), cuts };
        }
        joined.push_str(&original[kept..]);
        Self { text: joined.into(), cuts }
    }

    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// Where the byte at `offset` stands in the original.
    pub(crate) fn original(&self, offset: usize) -> usize {
        match self.cuts.partition_point(|(cut, _)| *cut <= offset) {
            0 => offset,
            passed => offset + self.cuts[passed - 1].1,
        }
    }

    /// Where a piece that ends before `offset` ends in the original: before what was cut out there.
    pub(crate) fn original_end(&self, offset: usize) -> usize {
        offset.checked_sub(1).map_or(0, |last| self.original(last) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joined(text: &str) -> Joined {
        Joined::new(&text.into())
    }

    #[test]
    fn continued_lines_are_joined_and_lead_back() {
        let text = joined("ab\\\ncd\\ \r\n\\\nef \\x");
        assert_eq!(text.text(), "abcdef \\x");
        assert_eq!(text.original(1), 1);
        assert_eq!(text.original(2), 4);
        assert_eq!(text.original(4), 12);
        assert_eq!(text.original_end(2), 2);
        assert_eq!(text.original_end(4), 6);
        assert_eq!(text.original_end(0), 0);
    }

    #[test]
    fn a_backslash_at_the_very_end_stays() {
        assert_eq!(joined("a\\").text(), "a\\");
        assert_eq!(joined("a\\\n").text(), "a");
    }
}
