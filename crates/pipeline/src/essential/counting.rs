//! Counters: a value that several steps moved to where it is was moved by all of them. What only counts the rounds of a loop
//! says nothing.

use explain::anomalies::deferred::TouchedStep;
use findings::Counterexample;

use super::is_private;
use super::reliance::{is_condition, shares_actor};

/// How many steps of one counter are told, the last ones.
const MOST_COUNTED: usize = 2;

/// The steps that moved what the violation reads into the direction of their last change, without a step back between them.
/// Where a condition fails, its parts are asked; an index is none.
pub(super) fn counted(counterexample: &Counterexample, reads: &[String]) -> Vec<usize> {
    let condition = &counterexample.condition;
    let is_part = |name: &str| {
        let own = name.rsplit(['.', ':']).next().unwrap_or(name);
        condition.is_empty() || condition.iter().any(|part| part.text == own)
    };
    let mut found = Vec::new();
    for name in reads.iter().filter(|name| is_part(name)) {
        let moves = counterexample.steps.iter().enumerate().filter_map(|(at, step)| {
            let [old, new] = step.changes.get(name)?;
            let (old, new): (i64, i64) = (old.as_ref()?.parse().ok()?, new.as_ref()?.parse().ok()?);
            Some((at, new > old))
        });
        let moves: Vec<(usize, bool)> = moves.collect();
        let Some((_, direction)) = moves.last() else { continue };
        let run = moves.iter().rev().take_while(|(_, upwards)| upwards == direction);
        found.extend(run.take(MOST_COUNTED).map(|(at, _)| *at));
    }
    found
}

/// Whether a step counts the rounds of a loop, or asks whether there is another one: what it touches is a single variable of
/// its own process, which some step sets to begin with and others from nothing but itself.
pub(super) fn is_loop_counter(steps: &[TouchedStep], at: usize) -> bool {
    let step = &steps[at];
    let footprint = &step.footprint;
    let touched = if is_condition(step) { &footprint.reads } else { &footprint.writes };
    let [name] = touched.as_slice() else { return false };
    let is_own = footprint.reads.iter().all(|read| read == name);
    let counts = |other: &TouchedStep| {
        let is_written = other.footprint.writes.contains(name);
        !is_written || (shares_actor(other, step) && other.footprint.reads.iter().all(|read| read == name))
    };
    let writers: Vec<&TouchedStep> =
        steps.iter().filter(|other| other.footprint.writes.contains(name)).collect();
    // A loop asks at least twice in the same line whether there is another round.
    let asks =
        |other: &&TouchedStep| is_condition(other) && other.footprint.reads.as_slice() == [name.clone()];
    let mut lines: Vec<u32> = steps.iter().filter(asks).map(|other| other.label).collect();
    lines.sort_unstable();
    let is_asked = lines.windows(2).any(|pair| pair[0] == pair[1]);
    let is_begun = writers.iter().any(|other| other.footprint.reads.is_empty());
    let is_moved = writers.iter().any(|other| !other.footprint.reads.is_empty());
    is_private(name) && is_own && is_asked && is_begun && is_moved && steps.iter().all(counts)
}

#[cfg(test)]
mod tests {
    use graph::{Actors, Footprint};

    use super::*;

    fn step(reads: &[&str], writes: &[&str]) -> TouchedStep {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let footprint = Footprint { reads: names(reads), writes: names(writes), ..Footprint::default() };
        TouchedStep { label: 0, actors: Actors::new(1, None), footprint, is_inside: false }
    }

    #[test]
    fn what_only_counts_rounds_is_told_from_what_counts_events() {
        let i = "p:1.i";
        let rounds = [step(&[], &[i]), step(&[i], &[]), step(&[i], &[i]), step(&[i], &[])];
        assert!((1..4).all(|at| is_loop_counter(&rounds, at)), "a loop");
        let once = [step(&[], &[i]), step(&[i], &[]), step(&[i], &[i])];
        assert!(!is_loop_counter(&once, 1), "asked once, it is no loop");
        let mut elsewhere = rounds.clone();
        elsewhere[3].label = 1;
        assert!(!is_loop_counter(&elsewhere, 1), "asked in two places");
        let seen = [step(&[i], &[]), step(&[i], &[i]), step(&[i], &[])];
        assert!(!is_loop_counter(&seen, 1), "nothing set it to begin with: it counts what comes");
        let set = [step(&[], &[i]), step(&[i], &[]), step(&["x"], &[i]), step(&[i], &[])];
        assert!(!is_loop_counter(&set, 1), "it takes other values");
    }
}
