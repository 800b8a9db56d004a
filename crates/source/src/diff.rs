use std::fmt;

use serde::{Serialize, Serializer};

/// A text and what it was changed to, as far as they differ, with lines around that.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diff {
    pub file: String,
    pub hunks: Vec<Hunk>,
}

/// Lines that stand together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hunk {
    /// The first line before the change, and after it; counted from 1.
    pub old_start: u64,
    pub new_start: u64,
    pub lines: Vec<DiffLine>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffLine {
    pub change: LineChange,
    pub text: String,
    /// Whether it is the last line of a text that does not end with a new line.
    pub is_unended: bool,
}

/// What becomes of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LineChange {
    Kept,
    Removed,
    Added,
}

impl Diff {
    /// The lines that are removed or added, in order.
    pub fn changed_lines(&self) -> impl Iterator<Item = &DiffLine> {
        let lines = self.hunks.iter().flat_map(|hunk| &hunk.lines);
        lines.filter(|line| line.change != LineChange::Kept)
    }
}

impl Hunk {
    /// `@@ -line,count +line,count @@`
    pub fn header(&self) -> String {
        let count = |other: LineChange| self.lines.iter().filter(|line| line.change != other).count();
        let (old, new) = (count(LineChange::Added), count(LineChange::Removed));
        format!("@@ -{},{old} +{},{new} @@", self.old_start, self.new_start)
    }
}

impl DiffLine {
    pub fn sign(&self) -> char {
        match self.change {
            LineChange::Kept => ' ',
            LineChange::Removed => '-',
            LineChange::Added => '+',
        }
    }
}

impl fmt::Display for DiffLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.sign(), self.text)
    }
}

/// As `diff -u` writes it.
impl fmt::Display for Diff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, hunks } = self;
        write!(f, "--- a/{file}\n+++ b/{file}\n")?;
        for hunk in hunks {
            writeln!(f, "{}", hunk.header())?;
            for line in &hunk.lines {
                writeln!(f, "{line}")?;
                if line.is_unended {
                    f.write_str("\\ No newline at end of file\n")?;
                }
            }
        }
        Ok(())
    }
}

/// As the same text.
impl Serialize for Diff {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
