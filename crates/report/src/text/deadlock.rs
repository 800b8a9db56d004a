//! For a deadlock, what each process waits for: one row for all that wait for the same, who the first cause is about first.
//!
//! What is false is never cut. Where there is little room the statement gets shorter, and then it is left out.

use anstyle::AnsiColor;

use super::Page;
use crate::story::{Stuck, StuckAt, stuck};
use crate::wording::{in_a_row, shown};
use crate::{Counterexample, Report};

/// What models call the step in which a process ends: who only waits for that says nothing about a deadlock.
const AT_ITS_END: &str = "-end-";
/// How much of a statement is told, from all to nothing.
const ROOM_FOR_STATEMENTS: [usize; 5] = [usize::MAX, 40, 28, 18, 0];

impl Page {
    pub(super) fn who_is_blocked(&mut self, report: &Report, counterexample: &Counterexample) {
        let stuck = stuck(report, counterexample);
        if stuck.is_empty() {
            return;
        }
        let title = self.paint(AnsiColor::Cyan, "no process can move");
        self.gap();
        self.line(&title);
        // Who may stop where it stands says least.
        let can_do_more = |blocked: &&Stuck<'_>| {
            !(blocked.may_end && blocked.needs.iter().all(|need| need.action == AT_ITS_END))
        };
        let rows = self.rows_of_the_blocked(stuck.iter().filter(can_do_more));
        // A row takes no more room than the words that one was left out.
        let fits =
            |(who, one): &(Vec<String>, &Stuck<'_>)| self.waiting(who, one).chars().count() + 4 <= self.width;
        let shown = match rows.get(self.fit.blocked) {
            Some(last) if rows.len() == self.fit.blocked + 1 && fits(last) => rows.len(),
            _ => self.fit.blocked,
        };
        for (who, one) in rows.iter().take(shown) {
            let text = self.waiting(who, one);
            self.sentence("  ", 4, &text);
        }
        let left: usize = rows.iter().skip(shown).map(|(who, _)| who.len()).sum();
        if left > 0 {
            let processes = if left == 1 { "process" } else { "processes" };
            self.line(&format!("  ... and {left} more {processes}"));
        }
    }

    /// Those that wait for the same at the same place, together.
    fn rows_of_the_blocked<'s, 'a: 's>(
        &self,
        stuck: impl Iterator<Item = &'s Stuck<'a>>,
    ) -> Vec<(Vec<String>, &'s Stuck<'a>)> {
        let told = |one: &Stuck<'_>| self.waiting(&[], one);
        let mut rows: Vec<(Vec<String>, &Stuck<'_>)> = Vec::new();
        for one in stuck {
            let who = if one.who.is_empty() { "the process".to_owned() } else { one.who.clone() };
            match rows.iter_mut().find(|(_, known)| told(known) == told(one)) {
                Some((names, _)) => names.push(who),
                None => rows.push((vec![who], one)),
            }
        }
        rows
    }

    /// The row in the longest wording that fits into a line, or else in the shortest.
    fn waiting(&self, who: &[String], one: &Stuck<'_>) -> String {
        let mut told = ROOM_FOR_STATEMENTS.iter().map(|room| self.waiting_within(who, one, *room));
        let fits = |text: &String| text.chars().count() + 4 <= self.width;
        let shortest = self.waiting_within(who, one, 0);
        told.find(fits).unwrap_or(shortest)
    }

    fn waiting_within(&self, who: &[String], one: &Stuck<'_>, room: usize) -> String {
        let verb = if who.len() == 1 { "waits" } else { "wait" };
        let may_end = if one.may_end { " (may end here)" } else { "" };
        let at = |need: &StuckAt<'_>| {
            let place = self.outermost(need.location);
            match room {
                0 => format!("{place}: {}", need.reason),
                _ => format!("{place} `{}`: {}", Self::clipped(need.action, room), need.reason),
            }
        };
        let needs: Vec<String> = one.needs.iter().map(at).collect();
        let text = if needs.is_empty() { one.waits_for.to_owned() } else { needs.join("; or ") };
        shown(&format!("{} {verb}{may_end} at {}", in_a_row(who), text.trim_start()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Detail;

    fn waiting<'a>(who: &str, action: &'a str, reason: &'a str) -> Stuck<'a> {
        Stuck {
            who: who.to_owned(),
            process: None,
            pid: None,
            may_end: false,
            waits_for: "",
            needs: vec![StuckAt { location: None, action, reason }],
        }
    }

    #[test]
    fn what_is_false_is_told_whole_and_the_statement_gets_shorter() {
        let page = Page { width: 60, ..Page::new(Detail::Normal, false) };
        let long = "free > 0 && pool?[ALLOC,who] && another_condition";
        let one = waiting("manager", long, "free is 0");
        let told = page.waiting(std::slice::from_ref(&one.who), &one);
        assert!(told.ends_with("...`: free is 0"), "{told}");
        assert!(told.chars().count() <= 56, "{told}");
        let reason = "no signal of `box.not_empty` has woken it";
        let one = waiting("uploader", long, reason);
        assert_eq!(
            page.waiting(std::slice::from_ref(&one.who), &one),
            format!("uploader waits at : {reason}")
        );
    }

    #[test]
    fn those_that_wait_for_the_same_share_a_row() {
        let page = Page { width: 100, ..Page::new(Detail::Normal, false) };
        let all = [waiting("p:1", "room > 0", "room is 0"), waiting("p:2", "room > 0", "room is 0")];
        let rows = page.rows_of_the_blocked(all.iter());
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].0, ["p:1", "p:2"]);
        assert_eq!(page.waiting(&rows[0].0, rows[0].1), "p:1 and p:2 wait at `room > 0`: room is 0");
    }
}
