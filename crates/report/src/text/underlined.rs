//! Steps where they stand in the source: each line once, and below it the statement underlined for every step that
//! executes it, with the number of the step and which way it went.

use anstyle::AnsiColor;

use super::Page;
use super::causes::statement;
use crate::wording::{shown, shown_line};
use crate::{CauseEdge, Location};

/// How many characters of a line are shown.
const MOST: usize = 90;

impl Page {
    /// Draws steps; what stands nowhere is told in a line of its own.
    pub(super) fn underlined(&mut self, edges: &[CauseEdge]) {
        let gutter = |page: &Self, at: &Location| shown(page.place(Some(at)).trim_end());
        let width = edges.iter().filter_map(|edge| edge.from.as_ref());
        let width = width.map(|at| gutter(self, at).chars().count()).max().unwrap_or(0);
        let mut last = None;
        for edge in edges {
            let Some(at) = edge.from.as_ref().filter(|at| !at.text.trim().is_empty()) else {
                self.line(&format!("    {:>6}  {}", edge.step, self.event_line(&edge.event)));
                last = None;
                continue;
            };
            let place = Some((gutter(self, at), &at.text));
            if last != place {
                let text: String = shown_line(at.text.trim()).chars().take(MOST).collect();
                self.line(&format!("        {:>width$} | {text}", gutter(self, at)));
            }
            last = place;
            let Marked { before, marks, rest } = marked(&at.text, at.column, &edge.event.action);
            let who = match (&edge.event.process, edge.event.pid) {
                (Some(process), Some(pid)) => format!(" ({process}:{pid})"),
                _ => String::new(),
            };
            let marks = self.paint(AnsiColor::Red, &"^".repeat(marks));
            let said = shown(&format!("step {}{who}{rest}", edge.step));
            self.line(&format!("        {:width$} | {:before$}{marks} {said}", "", ""));
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
struct Marked {
    /// How many characters are before the statement, without the blanks that the line begins with.
    before: usize,
    marks: usize,
    /// What the action says besides, such as which way a branch went.
    rest: String,
}

fn marked(line: &str, column: u64, action: &str) -> Marked {
    let blanks = line.len() - line.trim_start().len();
    let span = statement(line, column).unwrap_or(blanks..line.trim_end().len());
    let own = &line[span.clone()];
    let rest = action.strip_prefix(own).unwrap_or(action).trim_start_matches(": ").trim_start();
    let rest = if rest.is_empty() { String::new() } else { format!(": {rest}") };
    let before = shown_line(line.get(blanks..span.start).unwrap_or_default()).chars().count().min(MOST);
    let marks = shown_line(own).chars().count().min(MOST - before).max(1);
    Marked { before, marks, rest }
}

#[cfg(test)]
mod tests {
    use super::{Marked, marked};

    #[test]
    fn statements_are_underlined_where_they_stand() {
        let of = |line: &str, column, action: &str| {
            let Marked { before, marks, rest } = marked(line, column, action);
            (before, marks, rest)
        };
        let said = |rest: &str| rest.to_owned();
        assert_eq!(of("  x = 2; y = 3;", 10, "y = 3"), (7, 5, said("")));
        assert_eq!(of("\tif (x) {", 2, "if (x): true"), (0, 6, said(": true")));
        assert_eq!(of("if (f()) {", 1, "if (f()) gave 0: false"), (0, 8, said(": gave 0: false")));
        assert_eq!(of("INIT(x)", 1, "x = 0"), (0, 7, said(": x = 0")));
        assert_eq!(of("été = 1;", 1, "été = 1"), (0, 7, said("")));
        assert_eq!(of("x", 99, "x"), (0, 1, said("")), "a column that is not there");
    }
}
