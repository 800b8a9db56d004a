use std::fmt;

/// A line and a column, both counted from 1; columns count characters, not bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    pub line: u64,
    pub column: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Where the lines of a text start, so that any offset becomes a [`Position`] in logarithmic time.
#[derive(Clone, Debug)]
pub struct LineIndex {
    starts: Vec<usize>,
}

impl LineIndex {
    pub fn new(text: &str) -> Self {
        let mut starts = vec![0];
        starts.extend(text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1));
        Self { starts }
    }

    /// The line alone, counted from 1, which costs nothing on a long line.
    pub fn line(&self, offset: usize) -> u64 {
        self.starts.partition_point(|start| *start <= offset) as u64
    }

    pub fn position(&self, text: &str, offset: usize) -> Position {
        let line = self.line(offset) as usize - 1;
        let before = &text.as_bytes()[self.starts[line]..offset.min(text.len())];
        // A byte that continues a character is not a column of its own.
        let column = before.iter().filter(|byte| **byte & 0xC0 != 0x80).count();
        Position { line: line as u64 + 1, column: column as u64 + 1 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str, offset: usize) -> (u64, u64) {
        let position = LineIndex::new(text).position(text, offset);
        (position.line, position.column)
    }

    #[test]
    fn lines_and_columns_start_at_one() {
        assert_eq!(at("ab\ncd", 0), (1, 1));
        assert_eq!(at("ab\ncd", 2), (1, 3));
        assert_eq!(at("ab\ncd", 3), (2, 1));
        assert_eq!(at("ab\ncd", 5), (2, 3));
        assert_eq!(at("", 0), (1, 1));
    }

    #[test]
    fn columns_count_characters() {
        assert_eq!(at("ü = x", 3), (1, 3));
    }
}
