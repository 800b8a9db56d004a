//! Changes of lines as replacements of regions.
//!
//! Each run of removed and added lines becomes one replacement, in the lines of the text before the change.

use source::{Diff, LineChange};

use super::log::{Content, Region, Replacement};

/// Lines that are replaced.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Edit {
    /// The first line that is deleted, or before which lines are inserted; counted from 1.
    pub(super) line: u64,
    pub(super) deleted: Vec<String>,
    pub(super) inserted: Vec<String>,
}

/// What a change replaces.
pub(super) fn edits(diff: &Diff) -> Vec<Edit> {
    let mut edits = Vec::new();
    for hunk in &diff.hunks {
        let mut line = hunk.old_start;
        let mut edit: Option<Edit> = None;
        for changed in &hunk.lines {
            let open = || Edit { line, ..Edit::default() };
            match changed.change {
                LineChange::Kept => edits.extend(edit.take()),
                LineChange::Removed => edit.get_or_insert_with(open).deleted.push(changed.text.clone()),
                LineChange::Added => edit.get_or_insert_with(open).inserted.push(changed.text.clone()),
            }
            line = line.saturating_add(u64::from(changed.change != LineChange::Added));
        }
        edits.extend(edit);
    }
    edits
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
    use source::{DiffLine, Hunk};

    use super::*;

    fn hunk(old_start: u64, lines: &[(LineChange, &str)]) -> Hunk {
        let line = |(change, text): &(LineChange, &str)| DiffLine {
            change: *change,
            text: (*text).to_owned(),
            is_unended: false,
        };
        Hunk { old_start, new_start: old_start, lines: lines.iter().map(line).collect() }
    }

    #[test]
    fn hunks_become_edits_in_the_lines_of_the_old_text() {
        use LineChange::{Added, Kept, Removed};
        let hunks = vec![
            hunk(3, &[(Kept, "one"), (Removed, "-- two"), (Added, "++ deux"), (Kept, "three")]),
            hunk(10, &[(Added, "ten"), (Added, "eleven")]),
            hunk(20, &[(Removed, "gone")]),
        ];
        let text = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect::<Vec<_>>();
        assert_eq!(
            edits(&Diff { file: "x.c".to_owned(), hunks }),
            [
                Edit { line: 4, deleted: text(&["-- two"]), inserted: text(&["++ deux"]) },
                Edit { line: 10, deleted: vec![], inserted: text(&["ten", "eleven"]) },
                Edit { line: 20, deleted: text(&["gone"]), inserted: vec![] },
            ]
        );
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
