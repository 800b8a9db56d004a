//! A trace of processes as lanes: one column for each, a mark where it moves.
//!
//! ```text
//!          0 1 2
//!     4    | o .   left:1     line 12  fork ? x
//!     5    o-> |   init:0     line 30  c ! 1  ->  right:2  line 17  c ? y
//! ```
//!
//! `o` is who moves, `>` who receives from it in a rendezvous, `|` who has moved before and will again or
//! is still there at the end, `.` who has not begun.

use std::collections::BTreeMap;

use crate::{Counterexample, Step};

/// With more processes than this their lanes are left out.
const MOST_LANES: usize = 24;

/// The lanes of a trace.
#[derive(Debug)]
pub(crate) struct Lanes {
    /// For each process: its name, and the first and last step at which it is known to live.
    lanes: BTreeMap<u64, Lane>,
}

#[derive(Debug)]
struct Lane {
    name: String,
    first: u64,
    last: u64,
}

impl Lanes {
    /// The lanes of `counterexample`; none if its steps are nobody's.
    pub(crate) fn of(counterexample: &Counterexample) -> Option<Self> {
        let mut lanes: BTreeMap<u64, Lane> = BTreeMap::new();
        let mut seen = |pid: Option<u64>, name: Option<&str>, n: u64| {
            let (Some(pid), Some(name)) = (pid, name) else { return };
            let lane = lanes.entry(pid).or_insert_with(|| Lane { name: name.to_owned(), first: n, last: n });
            lane.last = n;
        };
        for step in &counterexample.steps {
            seen(step.pid, step.process.as_deref(), step.n);
            if let Some(partner) = &step.partner {
                seen(partner.pid, Some(&partner.process), step.n);
            }
        }
        for blocked in &counterexample.blocked {
            seen(blocked.pid, blocked.process.as_deref(), counterexample.length + 1);
        }
        (!lanes.is_empty() && lanes.len() <= MOST_LANES).then_some(Self { lanes })
    }

    /// The numbers of the processes, above their lanes.
    pub(crate) fn head(&self) -> String {
        let numbers: Vec<String> = self.lanes.keys().map(|pid| format!("{pid} ")).collect();
        numbers.concat()
    }

    /// Who is who.
    pub(crate) fn legend(&self) -> String {
        let names: Vec<String> =
            self.lanes.iter().map(|(pid, lane)| format!("{pid} {}", lane.name)).collect();
        names.join(", ")
    }

    /// How wide the longest name of a process is, with its number.
    pub(crate) fn name_width(&self) -> usize {
        let widths =
            self.lanes.iter().map(|(pid, lane)| lane.name.chars().count() + 1 + pid.to_string().len());
        widths.max().unwrap_or_default()
    }

    /// How wide the lanes are.
    pub(crate) fn width(&self) -> usize {
        self.lanes.keys().map(|pid| pid.to_string().len().max(1) + 1).sum()
    }

    /// The lanes at one step.
    pub(crate) fn row(&self, step: &Step) -> String {
        let own = step.pid;
        let partner = step.partner.as_ref().and_then(|partner| partner.pid);
        let between = |pid: u64| match (own, partner) {
            (Some(own), Some(partner)) => own.min(partner) < pid && pid < own.max(partner),
            _ => false,
        };
        let mut row = String::new();
        for (pid, lane) in &self.lanes {
            let mark = if Some(*pid) == own {
                'o'
            } else if Some(*pid) == partner {
                if own < partner { '>' } else { '<' }
            } else if between(*pid) {
                '-'
            } else if lane.first > step.n {
                '.'
            } else if lane.last < step.n {
                ' '
            } else {
                '|'
            };
            let (low, high) = (own.min(partner), own.max(partner));
            let joined = partner.is_some() && low <= Some(*pid) && Some(*pid) < high;
            row.push(mark);
            let width = pid.to_string().len();
            row.extend(std::iter::repeat_n(if joined { '-' } else { ' ' }, width));
        }
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Deed, StateId};

    fn step(n: u64, pid: u64, partner: Option<u64>) -> Step {
        let deed =
            |pid| Deed { process: "p".to_owned(), pid: Some(pid), action: "c?x".to_owned(), location: None };
        Step {
            n,
            process: Some("p".to_owned()),
            pid: Some(pid),
            action: "c!1".to_owned(),
            location: None,
            partner: partner.map(deed),
            event: String::new(),
            changes: BTreeMap::new(),
            inputs: Vec::new(),
            depth: None,
            fate: crate::Fate::Unknown,
            kept: false,
            state: StateId::Number(0),
            escapes: Vec::new(),
            still_free: Vec::new(),
            point_of_no_return: false,
        }
    }

    #[test]
    fn marks_show_who_moves_and_who_is_there() {
        let steps = vec![step(1, 0, None), step(2, 1, None), step(3, 0, Some(10)), step(4, 10, Some(1))];
        let counterexample = Counterexample {
            kind: crate::ViolationKind::Deadlock,
            text: None,
            length: 4,
            loop_start: None,
            chosen: String::new(),
            choice: "given",
            past_others: false,
            initial: BTreeMap::new(),
            steps,
            blocked: Vec::new(),
            condition: Vec::new(),
        };
        let lanes = Lanes::of(&counterexample).expect("there are processes");
        assert_eq!(lanes.head(), "0 1 10 ");
        let rows: Vec<String> = counterexample.steps.iter().map(|step| lanes.row(step)).collect();
        assert_eq!(rows, ["o . .  ", "| o .  ", "o--->  ", "  <-o  "]);
        assert_eq!(lanes.width(), 7);
    }
}
