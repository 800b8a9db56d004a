//! The repair on the first screen: all lines that it changes or, where there are too many, one sentence that says what it
//! does. Half a patch would say something else than the whole.

use anstyle::AnsiColor;
use source::{Diff, LineChange};

use super::Page;
use crate::Report;
use crate::story::{first_repair, no_repair, outcome};
use crate::wording::{count, in_a_row, shown, shown_line};

/// How many lines a sentence about a patch names.
const MOST_NAMED: usize = 5;

/// A line that is removed or added, with its number.
struct Changed<'a> {
    number: u64,
    change: LineChange,
    text: &'a str,
}

impl Page {
    pub(super) fn first_repair(&mut self, report: &Report) {
        if report.only_unfair && self.options {
            self.gap();
            self.sentence("note: ", 2, "no weakly fair trace does this; check with --fairness weak");
        }
        let title = self.paint(AnsiColor::Cyan, "try");
        let Some(repair) = first_repair(report) else {
            if let Some(text) = no_repair(report, self.options) {
                self.gap();
                let title = self.paint(AnsiColor::Cyan, "no repair");
                self.sentence(&format!("{title}: "), 2, &text);
            }
            return;
        };
        self.gap();
        let outcome = shown(&outcome(repair, &report.repairs_checked));
        // Which properties hold is said last.
        let names = outcome.match_indices(": ").nth(1).filter(|_| repair.leaves.is_none());
        let short = names.map_or(outcome.as_str(), |(at, _)| &outcome[..at]);
        let told = [format!("({outcome})"), format!("({short})")];
        self.first_that_fits(&format!("{title} "), 2, &told, self.fit.lines);
        let changed = changed(&repair.patch);
        if changed.len() > self.fit.changed {
            return self.sentence("       | ", 9, &shown(&in_a_sentence(&changed, self.options)));
        }
        for Changed { number, change, text } in changed {
            let (sign, colour) = match change {
                LineChange::Added => ('+', AnsiColor::Green),
                _ => ('-', AnsiColor::Red),
            };
            let text = Self::clipped(&shown_line(&format!("{sign}{text}")), self.width.saturating_sub(9));
            let text = self.paint(colour, &text);
            self.line(&format!("{number:>6} | {text}"));
        }
    }
}

fn changed(patch: &Diff) -> Vec<Changed<'_>> {
    let mut found = Vec::new();
    for hunk in &patch.hunks {
        let (mut old, mut new) = (hunk.old_start, hunk.new_start);
        for line in &hunk.lines {
            let number = if line.change == LineChange::Added { new } else { old };
            old += u64::from(line.change != LineChange::Added);
            new += u64::from(line.change != LineChange::Removed);
            if line.change != LineChange::Kept {
                found.push(Changed { number, change: line.change, text: &line.text });
            }
        }
    }
    found
}

/// What a patch does, with the numbers of the lines before it or, where it only adds, after it.
fn in_a_sentence(changed: &[Changed<'_>], options: bool) -> String {
    let of = |change: LineChange| changed.iter().filter(move |line| line.change == change);
    let texts = |change: LineChange| {
        let mut texts: Vec<&str> = of(change).map(|line| line.text.trim()).collect();
        texts.sort_unstable();
        texts
    };
    let (removed, added) = (texts(LineChange::Removed), texts(LineChange::Added));
    let place = if removed.is_empty() { LineChange::Added } else { LineChange::Removed };
    let numbers: Vec<String> = of(place).map(|line| line.number.to_string()).collect();
    let lines = match numbers.len() {
        1 => format!("line {}", numbers[0]),
        2..=MOST_NAMED => format!("lines {}", in_a_row(&numbers)),
        many => format!("{} from line {} on", count(many as u64, "line"), numbers[0]),
    };
    let what = match (removed.len(), added.is_empty()) {
        (0, _) => format!("adds {lines}"),
        (_, true) => format!("removes {lines}"),
        (2, _) if removed == added => format!("swaps {lines}"),
        _ if removed == added => format!("moves {lines}"),
        _ => replaced(changed, &lines),
    };
    let how = if options { " (-v shows the patch)" } else { "" };
    format!("{what}{how}")
}

/// That lines become others; where the first is short, what it becomes.
fn replaced(changed: &[Changed<'_>], lines: &str) -> String {
    let first = changed.iter().find(|line| line.change == LineChange::Removed);
    let instead = changed.iter().find(|line| line.change == LineChange::Added);
    match (first, instead) {
        (Some(first), Some(new)) if first.number == new.number && first.text.trim().len() <= 24 => {
            let in_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
            let (first, new) = (in_one_line(first.text), in_one_line(new.text));
            format!("changes {lines}, beginning with `{first}`, which becomes `{new}`")
        }
        _ => format!("changes {lines}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(lines: &[(u64, char, &str)]) -> String {
        let changed: Vec<Changed<'_>> = lines
            .iter()
            .map(|(number, sign, text)| Changed {
                number: *number,
                change: if *sign == '+' { LineChange::Added } else { LineChange::Removed },
                text,
            })
            .collect();
        in_a_sentence(&changed, false)
    }

    #[test]
    fn a_patch_that_does_not_fit_is_told_in_a_sentence() {
        let swap =
            [(49, '-', "lock(2);"), (50, '-', "lock(1);"), (49, '+', "lock(1);"), (50, '+', "lock(2);")];
        assert_eq!(told(&swap), "swaps lines 49 and 50");
        assert_eq!(told(&[(3, '-', "a;")]), "removes line 3");
        assert_eq!(told(&[(3, '+', "a;"), (4, '+', "b;")]), "adds lines 3 and 4");
        let change = [(30, '-', "if"), (33, '-', "fi"), (30, '+', "do"), (33, '+', "od")];
        assert_eq!(told(&change), "changes lines 30 and 33, beginning with `if`, which becomes `do`");
        assert_eq!(
            told(&[(3, '-', "a;"), (3, '+', "b;"), (4, '+', "c;")]),
            "changes line 3, beginning with `a;`, which becomes `b;`"
        );
    }
}
