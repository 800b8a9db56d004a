//! Sequential patterns (Section 3): events in an order, with others between them, that many failing traces
//! have and few passing ones.
//!
//! The paper argues that mining such patterns from traces of models fails, since the traces are long and
//! dense, and it does on whole sets. It works on samples with bounds on length and work, and then shows
//! what substrings cannot: events that belong together at a distance. Patterns are grown event by event
//! over projections of the traces (PrefixSpan: Pei, Han and others, 2001), short ones first, so that what
//! a limit leaves out is long. Of patterns with the same support only closed ones are told, those
//! that no longer one contains.

use graph::{Interrupt, PULSE, Progress, Watch};

#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    /// The least part of the failing traces that must have a pattern.
    pub failing: f64,
    /// The part of the passing traces that must not be reached.
    pub passing: f64,
    pub longest: usize,
    /// How many events of traces are looked at, at most.
    pub most_work: u64,
}

impl Default for Thresholds {
    fn default() -> Self {
        Self { failing: 0.8, passing: 0.2, longest: 3, most_work: 200_000_000 }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    pub events: Vec<u32>,
    /// How many of the failing and of the passing traces have it.
    pub failing: u64,
    pub passing: u64,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patterns {
    /// Those that most failing and fewest passing traces have first.
    pub list: Vec<Pattern>,
    /// Whether no limit cut the search short.
    pub complete: bool,
}

/// A pattern under construction: for each failing trace that has it, where its first occurrence ends.
struct Grown {
    events: Vec<u32>,
    ends: Vec<(u32, u32)>,
}

pub fn patterns(
    failing: &[Vec<u32>],
    passing: &[Vec<u32>],
    thresholds: Thresholds,
    watch: &dyn Watch,
) -> Result<Patterns, Interrupt> {
    let least = ((thresholds.failing * failing.len() as f64).ceil() as usize).max(1);
    let most_passing = thresholds.passing * passing.len() as f64;
    let labels = failing.iter().flatten().max().map_or(0, |most| *most as usize + 1);
    let mut work = Work { left: thresholds.most_work, done: 0, next: PULSE, watch };
    let mut found = Patterns { list: Vec::new(), complete: true };
    let ends = (0..failing.len() as u32).map(|trace| (trace, 0)).collect();
    let mut layer = vec![Grown { events: Vec::new(), ends }];
    let mut following: Vec<Vec<(u32, u32)>> = vec![Vec::new(); labels];
    'grow: for _ in 0..thresholds.longest {
        let mut longer = Vec::new();
        for grown in layer {
            for (trace, end) in &grown.ends {
                let rest = &failing[*trace as usize][*end as usize..];
                if !work.spend(rest.len())? {
                    found.complete = false;
                    break 'grow;
                }
                for (at, label) in (*end..).zip(rest) {
                    let list = &mut following[*label as usize];
                    if list.last().is_none_or(|(last, _)| last != trace) {
                        list.push((*trace, at + 1));
                    }
                }
            }
            for (label, list) in (0..).zip(&mut following) {
                let ends = std::mem::take(list);
                if ends.len() < least {
                    continue;
                }
                let mut events = grown.events.clone();
                events.push(label);
                if !work.spend(passing.iter().map(Vec::len).sum())? {
                    found.complete = false;
                    break 'grow;
                }
                let in_passing = passing.iter().filter(|trace| contains(trace, &events)).count();
                if (in_passing as f64) < most_passing || in_passing == 0 {
                    found.list.push(Pattern {
                        events: events.clone(),
                        failing: ends.len() as u64,
                        passing: in_passing as u64,
                    });
                }
                longer.push(Grown { events, ends });
            }
        }
        layer = longer;
    }
    let is_closed = |one: &Pattern| {
        !found.list.iter().any(|other| {
            other.events.len() > one.events.len()
                && other.failing == one.failing
                && contains(&other.events, &one.events)
        })
    };
    let mut list: Vec<Pattern> = found.list.iter().filter(|one| is_closed(one)).cloned().collect();
    list.sort_by(|one, other| {
        let key = |one: &Pattern| (std::cmp::Reverse(one.failing), one.passing, one.events.len());
        key(one).cmp(&key(other)).then_with(|| one.events.cmp(&other.events))
    });
    found.list = list;
    Ok(found)
}

/// Whether a trace has the events in their order.
fn contains(trace: &[u32], events: &[u32]) -> bool {
    let mut left = trace.iter();
    events.iter().all(|event| left.any(|other| other == event))
}

struct Work<'a> {
    left: u64,
    done: u64,
    next: u64,
    watch: &'a dyn Watch,
}

impl Work<'_> {
    /// Whether there is so much left to spend.
    fn spend(&mut self, events: usize) -> Result<bool, Interrupt> {
        let events = events as u64 + 1;
        self.done += events;
        if self.done >= self.next {
            self.next = self.done + PULSE;
            self.watch.pulse(Progress { phase: "mining", edges: self.done, ..Progress::default() })?;
        }
        match self.left.checked_sub(events) {
            Some(left) => self.left = left,
            None => return Ok(false),
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use graph::Unwatched;

    fn mined(failing: &[&[u32]], passing: &[&[u32]], thresholds: Thresholds) -> Patterns {
        let owned = |traces: &[&[u32]]| traces.iter().map(|trace| trace.to_vec()).collect::<Vec<_>>();
        patterns(&owned(failing), &owned(passing), thresholds, &Unwatched).expect("nobody interrupts")
    }

    #[test]
    fn only_closed_patterns_that_passing_traces_lack_are_told() {
        let thresholds = Thresholds { failing: 1.0, passing: 0.5, ..Thresholds::default() };
        let found = mined(&[&[1, 5, 2, 3], &[1, 2, 6, 3]], &[&[3, 2, 1], &[2, 1, 3]], thresholds);
        let events: Vec<&[u32]> = found.list.iter().map(|one| &one.events[..]).collect();
        // 1, 2 alone is passing nowhere, but 1, 2, 3 is as frequent and says more.
        assert_eq!((events, found.complete), (vec![&[1, 2, 3][..]], true));
        assert_eq!((found.list[0].failing, found.list[0].passing), (2, 0));
    }

    #[test]
    fn limits_leave_out_what_is_long() {
        let thresholds = Thresholds { failing: 1.0, passing: 0.5, longest: 3, most_work: 12 };
        let found = mined(&[&[1, 2, 3]], &[&[2, 3]], thresholds);
        assert!(!found.complete && found.list.iter().all(|one| one.events.len() < 3));
    }
}
