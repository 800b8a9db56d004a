//! Unified diffs as replacements of regions.
//!
//! A hunk's own counts say where it ends, so lines of the text that look like headers are no trouble. Each run of
//! deleted and inserted lines becomes one replacement, in the lines of the text before the change.

use super::log::{Content, Region, Replacement};

/// What a patch does to one file.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct FileChange {
    pub(super) file: String,
    pub(super) edits: Vec<Edit>,
}

/// Lines that are replaced.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Edit {
    /// The first line that is deleted, or before which lines are inserted; counted from 1.
    pub(super) line: u64,
    pub(super) deleted: Vec<String>,
    pub(super) inserted: Vec<String>,
}

/// All changes of a patch; none if it is not a unified diff that changes something.
pub(super) fn read(patch: &str) -> Option<Vec<FileChange>> {
    // Unlike `lines`, this keeps the carriage returns of texts that have them.
    let mut lines = patch.split('\n').peekable();
    let mut changes = Vec::new();
    while let Some(line) = lines.next() {
        // Whatever stands before the header of a file is a remark.
        let Some(old) = line.strip_prefix("--- ") else { continue };
        let new = lines.next()?.strip_prefix("+++ ")?;
        let mut edits = Vec::new();
        while let Some(header) = lines.next_if(|line| line.starts_with("@@ ")) {
            read_hunk(header, &mut lines, &mut edits)?;
            // `\ No newline at end of file`
            lines.next_if(|line| line.starts_with('\\'));
        }
        if edits.is_empty() {
            return None;
        }
        changes.push(FileChange { file: file_name(old, new)?, edits });
    }
    (!changes.is_empty()).then_some(changes)
}

/// The name of the file, without the letters that tell old from new and without a time behind it.
fn file_name(old: &str, new: &str) -> Option<String> {
    let name = |text: &'_ str| text.split(['\t', '\r']).next().unwrap_or_default().to_owned();
    let (old, new) = (name(old), name(new));
    let (old, new) = match (old.strip_prefix("a/"), new.strip_prefix("b/")) {
        (Some(old), Some(new)) => (old, new),
        _ => (&*old, &*new),
    };
    (old == new && !old.is_empty()).then(|| old.to_owned())
}

/// `@@ -line,count +line,count @@` and as many lines as it says.
fn read_hunk<'p>(
    header: &str,
    lines: &mut impl Iterator<Item = &'p str>,
    edits: &mut Vec<Edit>,
) -> Option<()> {
    let ranges = header.strip_prefix("@@ -")?;
    let (old, rest) = ranges.split_once(" +")?;
    let (new, _) = rest.split_once(" @@")?;
    let (start, mut old_left) = range(old)?;
    let (_, mut new_left) = range(new)?;
    // A hunk that deletes nothing names the line before it.
    let mut line = if old_left == 0 { start.checked_add(1)? } else { start };
    let mut edit: Option<Edit> = None;
    while old_left > 0 || new_left > 0 {
        let text = lines.next()?;
        // Some tools leave out the blank of an empty line.
        let (mark, text) = if text.is_empty() { (" ", "") } else { text.split_at_checked(1)? };
        match mark {
            " " => {
                edits.extend(edit.take());
                old_left = old_left.checked_sub(1)?;
                new_left = new_left.checked_sub(1)?;
                line = line.checked_add(1)?;
            }
            "-" => {
                old_left = old_left.checked_sub(1)?;
                edit.get_or_insert_with(|| Edit { line, ..Edit::default() }).deleted.push(text.to_owned());
                line = line.checked_add(1)?;
            }
            "+" => {
                new_left = new_left.checked_sub(1)?;
                edit.get_or_insert_with(|| Edit { line, ..Edit::default() }).inserted.push(text.to_owned());
            }
            // `\ No newline at end of file`
            "\\" => {}
            _ => return None,
        }
    }
    edits.extend(edit);
    Some(())
}

/// `line,count`, or `line` for one line. There is no line 0, but nothing can stand behind it.
fn range(text: &str) -> Option<(u64, u64)> {
    let (line, count) = text.split_once(',').unwrap_or((text, "1"));
    let (line, count) = (line.parse().ok()?, count.parse().ok()?);
    (line > 0 || count == 0).then_some((line, count))
}

/// Lines are replaced without the end of the last of them, which may be the end of the file; where there is nothing
/// to replace or nothing to put in its place, with it.
pub(super) fn replacement(edit: Edit) -> Replacement {
    let Edit { line, deleted, inserted } = edit;
    let end_of_last = deleted.last().map_or(0, |last| last.chars().count() as u64) + 1;
    let (end_line, end_column, text) = match (&deleted[..], &inserted[..]) {
        ([], _) => (line, 1, inserted.join("\n") + "\n"),
        (_, []) => (line.saturating_add(deleted.len() as u64), 1, String::new()),
        _ => (line.saturating_add(deleted.len() as u64 - 1), end_of_last, inserted.join("\n")),
    };
    let deleted_region = Region {
        start_line: line,
        start_column: Some(1),
        end_line: Some(end_line),
        end_column: Some(end_column),
        snippet: None,
    };
    let inserted_content = (!inserted.is_empty()).then(|| Content { text: text.into() });
    Replacement { deleted_region, inserted_content }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hunks_become_edits_in_the_lines_of_the_old_text() {
        let patch = "a remark\n--- a/x.c\t2024\n+++ b/x.c\n@@ -3,4 +3,4 @@ main\n one\n--- two\n+++ deux\n three\n\n\
                     @@ -9,0 +10,2 @@\n+ten\n+eleven\n\\ No newline at end of file\n@@ -20 +23,0 @@\n-gone\n";
        let [FileChange { file, edits }] = &read(patch).unwrap()[..] else { panic!() };
        let text = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        assert_eq!(file, "x.c");
        assert_eq!(
            edits[..],
            [
                Edit { line: 4, deleted: text(&["-- two"]), inserted: text(&["++ deux"]) },
                Edit { line: 10, deleted: vec![], inserted: text(&["ten", "eleven"]) },
                Edit { line: 20, deleted: text(&["gone"]), inserted: vec![] },
            ]
        );
    }

    #[test]
    fn what_is_no_patch_is_refused() {
        for text in [
            "",
            "x = 1;",
            "--- a/x\n",
            "--- a/x\n+++ b/x\n",
            "--- a/x\n+++ b/y\n@@ -1 +1 @@\n-a\n+b\n",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n",
            "--- a/x\n+++ b/x\n@@ -1,99999999999999999999 +1 @@\n-a\n",
            "--- a/x\n+++ b/x\n@@ -18446744073709551615,2 +1,0 @@\n-a\n-b\n",
            "--- a/x\n+++ b/x\n@@ -0,1 +1 @@\n-a\n+b\n",
            "--- a/x\n+++ b/x\n@@ -1 +1 @@\nä\n+b\n",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }

    #[test]
    fn replacements_keep_the_ends_of_lines() {
        let lines = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<Vec<_>>();
        let told = |deleted: &[&str], inserted: &[&str]| {
            let edit = Edit { line: 4, deleted: lines(deleted), inserted: lines(inserted) };
            let Replacement { deleted_region: region, inserted_content } = replacement(edit);
            let text = inserted_content.map(|content| content.text.into_owned());
            (region.start_line, region.end_line.unwrap(), region.end_column.unwrap(), text)
        };
        assert_eq!(told(&["ä = 1;"], &["b;", "c;"]), (4, 4, 7, Some("b;\nc;".to_owned())));
        assert_eq!(told(&[], &["b;"]), (4, 4, 1, Some("b;\n".to_owned())));
        assert_eq!(told(&["a;", "b;"], &[]), (4, 6, 1, None));
    }
}
