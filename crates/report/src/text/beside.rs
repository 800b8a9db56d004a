//! An error trace and a correct one side by side, from where they part. Steps that both take stand in one row
//! (a longest common subsequence, Wagner and Fischer 1974); runs of them are folded.

use super::Page;
use crate::wording::{count, shown};
use crate::{ErrorTrace, Event};

/// How wide the left column is.
const COLUMN: usize = 46;
/// How many rows are shown without `-v`.
const MOST_ROWS: usize = 12;
/// How many steps of either are compared.
const MOST_COMPARED: usize = 400;
/// So many rows that are the same are shown; of more, the first and the last.
const MOST_SAME: usize = 3;

/// A row: a step of the error trace by its place in it, a step of the correct one, or both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Same(usize, usize),
    Error(usize),
    Correct(usize),
}

impl Page {
    pub(super) fn beside(&mut self, trace: &ErrorTrace) {
        let common = (trace.common as usize).min(trace.correct_trace.len()).min(trace.events.len());
        let (error, correct) = (&trace.events[common..], &trace.correct_trace[common..]);
        if correct.is_empty() {
            return;
        }
        let same = if common == 0 { String::new() } else { format!(", the same up to step {common}") };
        self.line(&format!("        {:COLUMN$}  | a correct trace{same}", "this trace"));
        let rows = aligned(error, correct);
        let mut shown_rows = 0;
        let mut at = 0;
        while at < rows.len() {
            if shown_rows >= self.most(MOST_ROWS) {
                self.line(&format!(
                    "        ... and {} more (-v shows all)",
                    count((rows.len() - at) as u64, "row")
                ));
                return;
            }
            let run = rows[at..].iter().take_while(|row| matches!(row, Row::Same(..))).count();
            if run > MOST_SAME {
                self.row(trace, common, rows[at]);
                let text = format!("({} the same)", count(run as u64 - 2, "step"));
                self.line(&format!("        {text:COLUMN$}  |"));
                self.row(trace, common, rows[at + run - 1]);
                at += run;
                shown_rows += 3;
            } else {
                self.row(trace, common, rows[at]);
                at += 1;
                shown_rows += 1;
            }
        }
    }

    fn row(&mut self, trace: &ErrorTrace, common: usize, row: Row) {
        let cell = |event: &Event| {
            let text = shown(&format!("{}{}", self.place(event.location.as_ref()), event.action));
            // Which way a branch went stands at its end.
            let letters: Vec<char> = text.chars().collect();
            if letters.len() > COLUMN - 6 {
                let (head, tail) = (&letters[..COLUMN - 26], &letters[letters.len() - 16..]);
                format!("{} .. {}", head.iter().collect::<String>(), tail.iter().collect::<String>())
            } else {
                text
            }
        };
        let left = |at: usize| format!("{:>4}  {}", common + at + 1, cell(&trace.events[common + at]));
        let right = |at: usize| cell(&trace.correct_trace[common + at]);
        let (left, mark, right) = match row {
            Row::Same(one, other) => (left(one), "|", right(other)),
            Row::Error(one) => (left(one), "<", String::new()),
            Row::Correct(other) => (String::new(), ">", right(other)),
        };
        self.line(format!("        {left:COLUMN$}  {mark} {right}").trim_end());
    }
}

/// Puts two traces beside each other so that as many rows as possible are the same. Where steps differ, those of
/// the error trace come first.
fn aligned(error: &[Event], correct: &[Event]) -> Vec<Row> {
    let (left, right) = (error.len().min(MOST_COMPARED), correct.len().min(MOST_COMPARED));
    let is_same = |one: usize, other: usize| error[one].event == correct[other].event;
    let mut best = vec![vec![0u32; right + 1]; left + 1];
    for one in (0..left).rev() {
        for other in (0..right).rev() {
            best[one][other] = if is_same(one, other) {
                best[one + 1][other + 1] + 1
            } else {
                best[one + 1][other].max(best[one][other + 1])
            };
        }
    }
    let (mut one, mut other) = (0, 0);
    let mut rows = Vec::new();
    while one < left && other < right {
        if is_same(one, other) {
            rows.push(Row::Same(one, other));
            one += 1;
            other += 1;
        } else if best[one + 1][other] >= best[one][other + 1] {
            rows.push(Row::Error(one));
            one += 1;
        } else {
            rows.push(Row::Correct(other));
            other += 1;
        }
    }
    rows.extend((one..error.len()).map(Row::Error));
    rows.extend((other..correct.len()).map(Row::Correct));
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn events(names: &str) -> Vec<Event> {
        let event = |name: char| Event {
            process: None,
            pid: None,
            action: name.to_string(),
            location: None,
            partner: None,
            event: name.to_string(),
        };
        names.chars().map(event).collect()
    }

    #[test]
    fn as_much_as_possible_is_the_same() {
        let rows = aligned(&events("abxcd"), &events("aycdz"));
        let expected = [
            Row::Same(0, 0),
            Row::Error(1),
            Row::Error(2),
            Row::Correct(1),
            Row::Same(3, 2),
            Row::Same(4, 3),
            Row::Correct(4),
        ];
        assert_eq!(rows, expected);
        assert_eq!(aligned(&[], &events("a")), [Row::Correct(0)]);
        assert_eq!(aligned(&events("a"), &[]), [Row::Error(0)]);
    }
}
