//! An error trace and a correct one side by side, from where they part. Steps that both take stand in one row
//! (a heaviest common subsequence, after Wagner and Fischer 1974); runs of them are folded.

use super::{Detail, Page};
use crate::wording::{count, shown};
use crate::{ErrorTrace, Event, Outcome, PassingEnd, Report, Step};

/// How wide the left column is.
const COLUMN: usize = 46;
/// How many rows are shown without `-v`.
const MOST_ROWS: usize = 12;
/// The same beside the counterexample itself.
const MOST_RELATIVE_ROWS: usize = 8;
/// How many steps of either are compared.
const MOST_COMPARED: usize = 400;
/// So many rows that are the same are shown; of more, the first and the last.
const MOST_SAME: usize = 3;

/// A row: a step of the error trace by its place in it, a step of the correct one, or both, the same or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Row {
    Same(usize, usize),
    Instead(usize, usize),
    Error(usize),
    Correct(usize),
}

/// Two traces with the same beginning.
struct Pair<'t> {
    error: &'t [Event],
    correct: &'t [Event],
    common: usize,
    /// Whether there are several processes, so that it has to be told which one acts.
    tells_who: bool,
}

impl Page {
    pub(super) fn beside(&mut self, trace: &ErrorTrace) {
        let pair = Pair::new(&trace.events, &trace.correct_trace);
        self.pair(&pair, "a correct trace", self.most(MOST_ROWS));
    }

    /// A passing trace beside the counterexample, if one is known.
    pub(super) fn passing_relative(&mut self, report: &Report) {
        let Some(counterexample) = report.counterexample.as_ref().filter(|_| !report.causes.is_empty())
        else {
            return;
        };
        let own: Vec<Event> = counterexample.steps.iter().map(event).collect();
        let Some((relative, ending)) = relative(report, &own) else { return };
        let pair = Pair::new(&own, &relative);
        if pair.correct.len() > pair.common {
            self.line("");
            self.pair(&pair, &format!("a passing trace {ending}"), MOST_RELATIVE_ROWS);
        }
    }

    fn pair(&mut self, pair: &Pair<'_>, title: &str, most: usize) {
        let common = pair.common;
        if pair.correct.len() == common {
            return;
        }
        let own = if common == 0 {
            "this trace".to_owned()
        } else {
            format!("this trace, from step {}", common + 1)
        };
        self.line(&format!("        {own:COLUMN$}  | {title}"));
        let rows = aligned(&pair.error[common..], &pair.correct[common..]);
        // What only this trace does behind the other's end tells nothing of the difference.
        let ends = rows.iter().rposition(|row| !matches!(row, Row::Error(_))).map_or(rows.len(), |at| at + 2);
        let mut shown_rows = 0;
        let mut at = 0;
        while at < rows.len() {
            if shown_rows >= most || at >= ends && self.detail == Detail::Normal {
                let how = if self.detail == Detail::Verbose { "-f json has all" } else { "-v shows all" };
                let left = count((rows.len() - at) as u64, "more row");
                self.line(&format!("        ... and {left} ({how})"));
                return;
            }
            let run = rows[at..].iter().take_while(|row| is_same(row)).count();
            if run > MOST_SAME {
                self.row(pair, rows[at]);
                let text = format!("({} the same)", count(run as u64 - 2, "step"));
                self.line(&format!("        {text:COLUMN$}  |"));
                self.row(pair, rows[at + run - 1]);
                at += run;
                shown_rows += 3;
            } else {
                self.row(pair, rows[at]);
                at += 1;
                shown_rows += 1;
            }
        }
    }

    fn row(&mut self, pair: &Pair<'_>, row: Row) {
        let cell = |event: &Event| {
            let who = match (&event.process, event.pid) {
                (Some(process), Some(pid)) if pair.tells_who => format!("{process}:{pid} "),
                _ => String::new(),
            };
            let outermost = event.location.as_ref().map(|at| at.calls.last().unwrap_or(at));
            let text = shown(&format!("{who}{}{}", self.place(outermost), event.action));
            // Which way a branch went stands at its end.
            let letters: Vec<char> = text.chars().collect();
            if letters.len() > COLUMN - 6 {
                let (head, tail) = (&letters[..COLUMN - 26], &letters[letters.len() - 16..]);
                format!("{} .. {}", head.iter().collect::<String>(), tail.iter().collect::<String>())
            } else {
                text
            }
        };
        let common = pair.common;
        let left = |at: usize| format!("{:>4}  {}", common + at + 1, cell(&pair.error[common + at]));
        let right = |at: usize| cell(&pair.correct[common + at]);
        let (left, mark, right) = match row {
            Row::Same(one, other) => (left(one), "|", right(other)),
            Row::Instead(one, other) => (left(one), "/", right(other)),
            Row::Error(one) => (left(one), "<", String::new()),
            Row::Correct(other) => (String::new(), ">", right(other)),
        };
        self.line(format!("        {left:COLUMN$}  {mark} {right}").trim_end());
    }
}

impl<'t> Pair<'t> {
    fn new(error: &'t [Event], correct: &'t [Event]) -> Self {
        let common = error.iter().zip(correct).take_while(|(one, other)| one.event == other.event).count();
        let mut all = error.iter().chain(correct).map(|event| event.pid);
        let first = all.next().flatten();
        Self { error, correct, common, tells_who: all.any(|pid| pid != first) }
    }
}

/// The step of a trace as an event.
fn event(step: &Step) -> Event {
    Event {
        process: step.process.clone(),
        pid: step.pid,
        action: step.action.clone(),
        location: step.location.clone(),
        partner: step.partner.clone(),
        event: step.event.clone(),
    }
}

/// A passing trace near the counterexample: the one that stays with it longest, or one that comes to the same check and
/// passes it. With how it ends.
fn relative(report: &Report, own: &[Event]) -> Option<(Vec<Event>, &'static str)> {
    let variations = report.methods.variations.as_ref().and_then(Outcome::found);
    let nearest = variations.and_then(|found| found.nearest_passing.as_ref());
    if let Some(nearest) = nearest.filter(|nearest| !nearest.steps.is_empty()) {
        let common = own.get(..nearest.common as usize)?;
        let ending = match nearest.ending {
            PassingEnd::Ends => "(it ends properly)",
            PassingEnd::Safe => "(it cannot fail any more)",
            PassingEnd::GoesOn => "(it can run forever)",
        };
        return Some((common.iter().chain(&nearest.steps).cloned().collect(), ending));
    }
    let found = report.methods.correct_transitions.as_ref().and_then(Outcome::found)?;
    let place = |at: &Option<crate::Location>| at.as_ref().map(|at| (at.file.clone(), at.line));
    let violation = report.explained_violation()?;
    let same_check =
        found.traces.iter().filter(|trace| place(&trace.query.location) == place(&violation.location));
    // Of several, the one of whose error trace the counterexample has most.
    let correct =
        same_check.map(|trace| &trace.correct_trace).max_by_key(|trace| Pair::new(own, trace).common)?;
    Some((correct.clone(), "(it passes the check)"))
}

/// Puts two traces beside each other so that as many rows as possible are the same. Where steps differ, they stand
/// beside each other as far as there are as many.
fn aligned(error: &[Event], correct: &[Event]) -> Vec<Row> {
    let (left, right) = (error.len().min(MOST_COMPARED), correct.len().min(MOST_COMPARED));
    let likeness = |one: usize, other: usize| likeness(&error[one], &correct[other]);
    let mut best = vec![vec![0u32; right + 1]; left + 1];
    for one in (0..left).rev() {
        for other in (0..right).rev() {
            let apart = best[one + 1][other].max(best[one][other + 1]);
            let like = likeness(one, other);
            best[one][other] = if like > 0 { apart.max(best[one + 1][other + 1] + like) } else { apart };
        }
    }
    let (mut one, mut other) = (0, 0);
    let mut rows = Vec::new();
    // Where the same statement parts them, that is what to look at.
    if left > 0 && right > 0 && likeness(0, 0) == SAME_STATEMENT {
        rows.push(Row::Instead(0, 0));
        (one, other) = (1, 1);
    }
    while one < left && other < right {
        let like = likeness(one, other);
        if like > 0 && best[one][other] == best[one + 1][other + 1] + like {
            rows.push(if like == SAME { Row::Same(one, other) } else { Row::Instead(one, other) });
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
    beside_each_other(&rows)
}

/// How much two steps are worth in one row: the same, or the same statement with something else coming of it.
const SAME: u32 = 3;
const SAME_STATEMENT: u32 = 2;

fn likeness(one: &Event, other: &Event) -> u32 {
    let place = |event: &Event| event.location.as_ref().map(|at| (at.file.clone(), at.line, at.column));
    if one.event == other.event {
        SAME
    } else if one.pid == other.pid && one.location.is_some() && place(one) == place(other) {
        SAME_STATEMENT
    } else {
        0
    }
}

/// Where only one trace does something and then only the other, both in the same rows.
fn beside_each_other(rows: &[Row]) -> Vec<Row> {
    let mut told = Vec::new();
    for stretch in rows.chunk_by(|one, other| is_paired(one) == is_paired(other)) {
        let mut left =
            stretch.iter().filter_map(|row| if let Row::Error(one) = row { Some(*one) } else { None });
        let mut right =
            stretch.iter().filter_map(|row| if let Row::Correct(other) = row { Some(*other) } else { None });
        if stretch.first().is_some_and(is_paired) {
            told.extend_from_slice(stretch);
            continue;
        }
        loop {
            told.push(match (left.next(), right.next()) {
                (Some(one), Some(other)) => Row::Instead(one, other),
                (Some(one), None) => Row::Error(one),
                (None, Some(other)) => Row::Correct(other),
                (None, None) => break,
            });
        }
    }
    told
}

fn is_same(row: &Row) -> bool {
    matches!(row, Row::Same(..))
}

fn is_paired(row: &Row) -> bool {
    matches!(row, Row::Same(..) | Row::Instead(..))
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
            Row::Instead(1, 1),
            Row::Error(2),
            Row::Same(3, 2),
            Row::Same(4, 3),
            Row::Correct(4),
        ];
        assert_eq!(rows, expected);
        assert_eq!(aligned(&[], &events("a")), [Row::Correct(0)]);
        assert_eq!(aligned(&events("a"), &[]), [Row::Error(0)]);
    }
}
