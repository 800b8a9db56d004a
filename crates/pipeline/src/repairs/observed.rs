//! What can be observed of passing traces: the values that the check reads whenever it is met, and the values of all
//! variables at proper ends.
//!
//! The best repair changes failing traces only (Qlose: D'Antoni, Samanta, Singh 2016). A graph of all states shows
//! exactly which observations of passing traces a change takes away; [`Observed::lost`] counts them. New observations
//! do not count: traces that failed now come to ends of their own.

use std::collections::BTreeSet;

use graph::Story;
use search::{Explored, Store};

use super::trial::places;

/// More observations than this are not compared: it would take longer than the search.
const MOST: usize = 4_096;
/// How many states are looked at for them.
const MOST_STATES: usize = 16_384;
/// How much work it is to put the values of a state into words.
pub(super) const WORDING: u64 = 20;

/// A file and a line.
type Line = (String, u64);

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Observation {
    /// The check that is met; none at a proper end.
    check: Option<Line>,
    values: Vec<(String, String)>,
}

/// All observations of passing traces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Observed {
    all: BTreeSet<Observation>,
    /// How many states were looked at.
    pub(super) states: u64,
}

impl Observed {
    /// What passing traces show at the checks in these lines and at their ends; nothing if that is too much. `passes` are
    /// the states that passing traces reach, `ends` those of them where traces end.
    pub(super) fn new(
        found: &Explored,
        story: &impl Story,
        checks: &[Line],
        passes: &[bool],
        ends: &[u32],
    ) -> Option<Self> {
        let check_of = |event: &u64| checks.iter().find(|check| places(story, *event).contains(check));
        let checked: Vec<Option<&Line>> = found.events.iter().map(check_of).collect();
        let mut observed = Self::default();
        for state in ends {
            let bytes = found.store.get(*state);
            observed.add(None, story.values(bytes))?;
        }
        if checked.iter().all(Option::is_none) {
            return Some(observed);
        }
        for (state, _) in passes.iter().enumerate().filter(|(_, passes)| **passes) {
            let edges = found.graph.edges(state as u32).iter();
            for edge in edges.filter(|edge| passes[edge.state as usize]) {
                let Some(check) = checked[edge.label as usize] else { continue };
                let bytes = found.store.get(state as u32);
                let reads = story.footprint(bytes, found.events[edge.label as usize]).reads;
                let mut values = story.values(bytes);
                values.retain(|(name, _)| reads.contains(name));
                observed.add(Some(check.clone()), values)?;
            }
        }
        Some(observed)
    }

    /// What traces show that end in these states; nothing if that is too much.
    pub(super) fn at_ends(store: &Store, story: &impl Story, ends: &BTreeSet<u32>) -> Option<Self> {
        let mut observed = Self::default();
        for state in ends {
            observed.add(None, story.values(store.get(*state)))?;
        }
        Some(observed)
    }

    fn add(&mut self, check: Option<Line>, values: Vec<(String, String)>) -> Option<()> {
        self.states += 1;
        if !values.is_empty() {
            self.all.insert(Observation { check, values });
        }
        (self.all.len() <= MOST && self.states <= MOST_STATES as u64).then_some(())
    }

    /// The part of the observations that is not there any more, at ends or at this check, whichever is more; nothing where
    /// there were none. At ends these variables do not count.
    pub(super) fn lost(&self, after: &Self, check: Option<&Line>, uncounted: &[String]) -> Option<f64> {
        let counts = |(name, _): &&(String, String)| {
            let own = name.rsplit('.').next().unwrap_or(name);
            let own = own.split('[').next().unwrap_or(own);
            !uncounted.iter().any(|other| other == own)
        };
        let at = |check: Option<&Line>| {
            let compared = |observed: &Self| -> BTreeSet<Vec<(String, String)>> {
                let there = observed.all.iter().filter(|one| one.check.as_ref() == check);
                let values = |one: &Observation| match check {
                    Some(_) => one.values.clone(),
                    None => one.values.iter().filter(counts).cloned().collect(),
                };
                there.map(values).collect()
            };
            let (all, left) = (compared(self), compared(after));
            let lost = all.difference(&left).count();
            (!all.is_empty()).then(|| lost as f64 / all.len() as f64)
        };
        let both = [at(None), check.and_then(|check| at(Some(check)))];
        both.into_iter().flatten().reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn observed(all: &[(Option<u64>, &str)]) -> Observed {
        let line = |line: u64| ("a.c".to_owned(), line);
        let one = |(check, value): &(Option<u64>, &str)| Observation {
            check: check.map(line),
            values: vec![("x".to_owned(), (*value).to_owned())],
        };
        Observed { all: all.iter().map(one).collect(), states: 0 }
    }

    #[test]
    fn what_passing_traces_showed_is_lost_and_new_ends_are_not() {
        let before = observed(&[(None, "1"), (None, "2"), (Some(7), "1")]);
        let check = ("a.c".to_owned(), 7);
        let same = observed(&[(None, "1"), (None, "2"), (None, "3"), (Some(7), "1"), (Some(7), "4")]);
        assert_eq!(before.lost(&same, Some(&check), &[]), Some(0.0));
        let half = observed(&[(None, "1"), (Some(7), "1")]);
        assert_eq!(before.lost(&half, Some(&check), &[]), Some(0.5));
        // All that the check saw is gone, though the ends are the same.
        let other = observed(&[(None, "1"), (None, "2"), (Some(7), "9")]);
        assert_eq!(before.lost(&other, Some(&check), &[]), Some(1.0));
        assert_eq!(before.lost(&other, None, &[]), Some(0.0));
        assert_eq!(observed(&[]).lost(&same, Some(&check), &[]), None);
        let started = observed(&[(None, "1"), (None, "3"), (Some(7), "1")]);
        assert_eq!(before.lost(&started, None, &["x".to_owned()]), Some(0.0), "another value from the start");
    }
}
