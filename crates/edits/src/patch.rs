//! Changes of a text that leave every line where it is, and how they are written down.

use source::{Diff, DiffLine, Hunk, LineChange, Span};

/// How many unchanged lines are shown around a change.
const CONTEXT: usize = 3;

/// A piece of a text, and what stands there instead.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// Edits of one text, in its order, none of which touch.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Patch {
    edits: Vec<Edit>,
}

impl Patch {
    /// A patch of `text`; nothing if edits overlap, do not fit the text, change nothing, or move lines.
    pub fn new(text: &str, mut edits: Vec<Edit>) -> Option<Self> {
        edits.sort();
        let fits = edits.iter().all(|edit| {
            let old = text.get(edit.span.start..edit.span.end);
            old.is_some_and(|old| newlines(old) == newlines(&edit.text))
        });
        let apart = edits.windows(2).all(|pair| pair[0].span.end <= pair[1].span.start);
        let changes = edits.iter().any(|edit| edit.span.text(text) != edit.text);
        (fits && apart && changes).then_some(Self { edits })
    }

    /// One piece replaced.
    pub fn replace(text: &str, span: Span, by: impl Into<String>) -> Option<Self> {
        Self::new(text, vec![Edit { span, text: by.into() }])
    }

    pub(crate) fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// The text with the patch.
    pub fn apply(&self, text: &str) -> String {
        let mut changed = String::with_capacity(text.len() + 64);
        let mut at = 0;
        for edit in &self.edits {
            changed.push_str(text.get(at..edit.span.start).unwrap_or_default());
            changed.push_str(&edit.text);
            at = edit.span.end;
        }
        changed.push_str(text.get(at..).unwrap_or_default());
        changed
    }

    /// The lines that look different, counted from 1.
    pub fn lines(&self, text: &str) -> Vec<u64> {
        let changed = self.apply(text);
        let pairs = text.split('\n').zip(changed.split('\n'));
        (1..).zip(pairs).filter(|(_, (old, new))| old != new).map(|(line, _)| line).collect()
    }

    /// What it changes in a text, with lines around that.
    pub fn diff(&self, text: &str, file: &str) -> Diff {
        let changed = self.apply(text);
        let (old, new): (Vec<&str>, Vec<&str>) = (text.split('\n').collect(), changed.split('\n').collect());
        // What comes behind the last newline is a line only if there is something.
        let count = if old.last().is_some_and(|last| last.is_empty()) { old.len() - 1 } else { old.len() };
        let different: Vec<usize> = (0..count).filter(|at| old[*at] != new[*at]).collect();
        let line = |change: LineChange, at: usize| {
            let lines = if change == LineChange::Added { &new } else { &old };
            DiffLine { change, text: lines[at].to_owned(), is_unended: at + 1 == lines.len() }
        };
        let mut hunks = Vec::new();
        let mut rest = &different[..];
        while let Some(first) = rest.first() {
            let near = |pair: &[usize]| pair[1] - pair[0] <= 2 * CONTEXT;
            let length = 1 + rest.windows(2).take_while(|pair| near(pair)).count();
            let (group, others) = rest.split_at(length);
            rest = others;
            let start = first.saturating_sub(CONTEXT);
            let end = (group[length - 1] + CONTEXT + 1).min(count);
            let mut lines = Vec::new();
            let mut at = start;
            while at < end {
                if old[at] == new[at] {
                    lines.push(line(LineChange::Kept, at));
                    at += 1;
                    continue;
                }
                let run = (at..end).take_while(|at| old[*at] != new[*at]).count();
                lines.extend((at..at + run).map(|at| line(LineChange::Removed, at)));
                lines.extend((at..at + run).map(|at| line(LineChange::Added, at)));
                at += run;
            }
            // Patches move no line.
            let first = start as u64 + 1;
            hunks.push(Hunk { old_start: first, new_start: first, lines });
        }
        Diff { file: file.to_owned(), hunks }
    }
}

fn newlines(text: &str) -> usize {
    text.bytes().filter(|byte| *byte == b'\n').count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(start: usize, end: usize, text: &str) -> Edit {
        Edit { span: Span::new(start, end), text: text.to_owned() }
    }

    #[test]
    fn edits_keep_lines_and_do_not_touch_each_other() {
        let text = "a\nb\nc\n";
        assert_eq!(
            Patch::new(text, vec![edit(4, 5, "z"), edit(0, 1, "x")]).map(|patch| patch.apply(text)),
            Some("x\nb\nz\n".to_owned())
        );
        for wrong in [
            vec![edit(0, 2, "x")],
            vec![edit(0, 1, "x\n")],
            vec![edit(0, 3, "x\n"), edit(2, 3, "y")],
            vec![edit(5, 9, "")],
            vec![edit(0, 1, "a")],
            vec![],
        ] {
            assert_eq!(Patch::new(text, wrong.clone()), None, "{wrong:?}");
        }
    }

    #[test]
    fn a_patch_is_written_as_diff_writes_it() {
        let text = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14";
        let patch = Patch::new(text, vec![edit(2, 3, "two"), edit(text.len() - 2, text.len(), "end")]);
        let written = patch.map(|patch| patch.diff(text, "f.c").to_string()).unwrap_or_default();
        assert_eq!(
            written,
            "--- a/f.c\n+++ b/f.c\n@@ -1,5 +1,5 @@\n 1\n-2\n+two\n 3\n 4\n 5\n@@ -11,4 +11,4 @@\n 11\n 12\n 13\n\
             -14\n\\ No newline at end of file\n+end\n\\ No newline at end of file\n"
        );
    }
}
