//! The steps without which the story of a counterexample cannot be told.
//!
//! The violation asks a question: who made its condition false, or who took what the blocked processes wait for? The
//! last step that wrote each of those values belongs to the story, then the steps that those relied on, nearest first
//! (a breadth-first walk over the links of [`explain::anomalies::sequence`]). Where somebody else wrote a value between
//! the step that read it and the step that relies on it, that write belongs to the story as well: races are made of
//! it. The steps that the first cause is about come before all of these.

use std::collections::{BTreeMap, BTreeSet};

use explain::anomalies::deferred::TouchedStep;
use explain::anomalies::sequence::{Link, Why, sequence};
use findings::{Cause, Claim, Counterexample, Run, ViolationKind, What};
use graph::{Actors, Footprint};

/// How many steps a story has at most.
const MOST: usize = 9;
/// How many of them may be steps of a sequence that the first cause names. A pattern has no step too many; of a suspicious
/// statement only the last time that it was executed counts.
const MOST_NAMED: usize = 4;
/// A story with fewer steps says nothing. The last steps of the trace tell at least where everybody stands.
const TOO_FEW: usize = 3;
const FILLED: usize = 6;

/// The indices of the steps, ascending; empty where nothing is known of what steps touch.
pub(crate) fn essential(counterexample: &Counterexample, first: Option<&Cause>) -> Vec<usize> {
    let count = counterexample.steps.len();
    if count == 0 || counterexample.run.footprints.len() < count {
        return Vec::new();
    }
    let steps = touched(counterexample);
    let mut story = Chosen::default();
    story.add(count - 1);
    let most = match first.map(|cause| &cause.main.claim) {
        Some(Claim::Pattern(_)) => MOST - 2,
        Some(Claim::Anomaly { .. }) => MOST_NAMED,
        _ => 1,
    };
    for step in first.map_or(&[][..], |cause| &cause.main.steps).iter().rev().take(most) {
        story.add((*step as usize).saturating_sub(1).min(count - 1));
    }
    // What is said of a line without a step is said of the last time that the line was executed.
    if let Some(cause) = first.filter(|cause| cause.main.steps.is_empty()) {
        let line = |at: &findings::Location| (at.file.clone(), at.outermost().line);
        let place = cause.locations.first().map(line);
        let is_there = |step: &findings::Step| place.is_some() && step.location.as_ref().map(line) == place;
        story.extend(counterexample.steps.iter().rposition(is_there));
    }
    story.extend(counterexample.steps.iter().rposition(|step| step.point_of_no_return));
    for at in callers(counterexample) {
        story.add(at);
    }
    // What is wrong with a state is asked behind the last step.
    let is_broken = matches!(counterexample.what, Some(What::Broken { .. }));
    let is_state = is_broken || counterexample.kind == ViolationKind::Deadlock;
    let seed = if is_state { count } else { count - 1 };
    for (far, at) in needed(&steps, seed) {
        let enough = if far > FURTHEST { ENOUGH } else { MOST };
        if story.steps.len() >= enough {
            break;
        }
        story.add(at);
    }
    if story.steps.len() < TOO_FEW {
        for at in latest(counterexample).into_iter().take(FILLED) {
            story.add(at);
        }
    }
    let mut steps = story.steps;
    steps.sort_unstable();
    steps
}

/// The last steps of all processes, in turns: how each of them came to where it stands, where values say too little.
fn latest(counterexample: &Counterexample) -> Vec<usize> {
    let mut turns: BTreeMap<Option<u64>, usize> = BTreeMap::new();
    let mut found: Vec<(usize, usize)> = Vec::new();
    for (at, step) in counterexample.steps.iter().enumerate().rev() {
        let turn = turns.entry(step.pid).or_default();
        found.push((*turn, at));
        *turn += 1;
    }
    found.sort_by_key(|(turn, at)| (*turn, std::cmp::Reverse(*at)));
    found.into_iter().map(|(_, at)| at).collect()
}

/// Steps in the order of their importance.
#[derive(Default)]
struct Chosen {
    steps: Vec<usize>,
}

impl Chosen {
    fn add(&mut self, at: usize) {
        if !self.steps.contains(&at) {
            self.steps.push(at);
        }
    }

    fn extend(&mut self, at: Option<usize>) {
        at.into_iter().for_each(|at| self.add(at));
    }
}

/// The steps with what they touch, and one more for what the blocked processes want.
fn touched(counterexample: &Counterexample) -> Vec<TouchedStep> {
    let Run { footprints, wants, .. } = &*counterexample.run;
    let of = |pid: Option<u64>| pid.and_then(|pid| u8::try_from(pid).ok());
    let actors = counterexample.steps.iter().map(|step| {
        let partner = step.partner.as_ref().and_then(|with| of(with.pid));
        of(step.pid).map_or(Actors::NONE, |own| Actors::new(own, partner))
    });
    let step = |(actors, footprint): (Actors, &Footprint)| TouchedStep {
        label: 0,
        actors,
        footprint: footprint.clone(),
        is_inside: false,
    };
    let ending = (Actors::NONE, wants);
    actors.zip(footprints).chain(std::iter::once(ending)).map(step).collect()
}

/// How much further a condition is than a value: what lets a step happen says less than what it works with.
const CONDITION: usize = 3;
/// Steps that are further from the violation belong to its story only if it has so few others.
const FURTHEST: usize = 5;
const ENOUGH: usize = 7;

/// How many of the calls that lead to the violation are told, where calls are known.
const CALLERS: usize = 2;

/// The calls inside of which the violation lies, the innermost first.
fn callers(counterexample: &Counterexample) -> Vec<usize> {
    let steps = &counterexample.steps;
    let mut found = Vec::new();
    let mut inner = steps.last().and_then(|last| last.depth);
    while let Some(depth) = inner.and_then(|depth| depth.checked_sub(1)).filter(|_| found.len() < CALLERS) {
        found.extend(steps.iter().rposition(|step| step.depth == Some(depth)));
        inner = Some(depth);
    }
    found
}

/// How often what newly belongs to the story is asked what it relies on.
const ROUNDS: usize = 3;

/// The steps that the seed relies on, those that steps of others rely on that came in between, and what conditions before
/// calls rely on.
fn needed(steps: &[TouchedStep], seed: usize) -> Vec<(usize, usize)> {
    let mut seeds = vec![seed];
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        let links = sequence(steps, &[], &seeds).links;
        found = by_distance(steps, &links, seed);
        let mut next: BTreeSet<usize> = found.iter().map(|(_, at)| *at).chain([seed]).collect();
        let overtaking: Vec<usize> = next.iter().flat_map(|at| overtaking(steps, &links, *at)).collect();
        next.extend(overtaking);
        let next: Vec<usize> = next.into_iter().collect();
        if next == seeds {
            break;
        }
        seeds = next;
    }
    found
}

/// The condition that let a step happen, if only calls and returns lie between them; of the seed also if others do.
fn guarding(steps: &[TouchedStep], to: usize, is_seed: bool) -> Option<usize> {
    let own = (0..to).rev().filter(|at| shares_actor(&steps[*at], &steps[to]));
    for at in own {
        let footprint = &steps[at].footprint;
        let is_silent =
            footprint.sends.is_empty() && footprint.receives.is_empty() && footprint.begins.is_empty();
        if is_silent && footprint.writes.is_empty() && !footprint.reads.is_empty() {
            return Some(at);
        }
        let is_call = is_silent && footprint.writes.is_empty();
        if !is_call && !is_seed {
            return None;
        }
    }
    None
}

/// The steps that the seed relies on with how far they are, the nearest first and of equally near ones the later first.
fn by_distance(steps: &[TouchedStep], links: &[Link], seed: usize) -> Vec<(usize, usize)> {
    let mut distance: BTreeMap<usize, usize> = BTreeMap::from([(seed, 0)]);
    let mut waiting = BTreeSet::from([(0, seed)]);
    while let Some((far, to)) = waiting.pop_first() {
        let needed = links.iter().filter(|link| link.to == to).map(|link| {
            let further = if link.why == Why::Guarded { CONDITION } else { 1 };
            (link.from, further)
        });
        let overtaking = overtaking(steps, links, to).into_iter().map(|at| (at, 1));
        let guarding = guarding(steps, to, to == seed).map(|at| (at, CONDITION));
        for (from, further) in needed.chain(overtaking).chain(guarding) {
            let known = distance.entry(from).or_insert(usize::MAX);
            if far + further < *known {
                *known = far + further;
                waiting.insert((far + further, from));
            }
        }
    }
    let others = distance.into_iter().filter(|(at, _)| *at != seed);
    let mut order: Vec<(usize, usize)> = others.map(|(at, far)| (far, at)).collect();
    order.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.cmp(&one.1)));
    order
}

/// Steps of others that wrote what a process had read for a step, between that read and the step.
fn overtaking(steps: &[TouchedStep], links: &[Link], to: usize) -> BTreeSet<usize> {
    let is_own = |at: usize| shares_actor(&steps[at], &steps[to]);
    let mut relied_on = BTreeSet::new();
    let mut waiting = vec![to];
    while let Some(at) = waiting.pop() {
        let own = links.iter().filter(|link| link.to == at && is_own(link.from));
        let own = own.filter(|link| matches!(link.why, Why::Wrote(_) | Why::Guarded));
        waiting.extend(own.map(|link| link.from).filter(|from| relied_on.insert(*from)));
    }
    let overtakes = |reader: usize, at: usize| {
        let reads = &steps[reader].footprint.reads;
        !is_own(at) && steps[at].footprint.writes.iter().any(|name| reads.contains(name))
    };
    let between = |reader: usize| (reader + 1..to).filter(move |at| overtakes(reader, *at));
    relied_on.into_iter().flat_map(between).collect()
}

fn shares_actor(one: &TouchedStep, other: &TouchedStep) -> bool {
    one.actors.iter().any(|own| other.actors.iter().any(|actor| own == actor))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(process: u8, reads: &[&str], writes: &[&str]) -> TouchedStep {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let footprint = Footprint { reads: names(reads), writes: names(writes), ..Footprint::default() };
        TouchedStep { label: 0, actors: Actors::new(process, None), footprint, is_inside: false }
    }

    fn story(steps: &[TouchedStep]) -> Vec<usize> {
        let seed = steps.len() - 1;
        needed(steps, seed).into_iter().map(|(_, at)| at).collect()
    }

    #[test]
    fn a_lost_update_has_both_writes_and_the_read_that_was_overtaken() {
        let steps = [
            step(9, &[], &["noise"]),
            step(1, &["x"], &["a"]),
            step(2, &["x"], &["b"]),
            step(1, &["a"], &["x"]),
            step(2, &["b"], &["x"]),
            step(0, &["x"], &[]),
        ];
        assert_eq!(story(&steps), [4, 3, 2, 1], "both racing reads, and nothing that does not matter");
    }

    #[test]
    fn what_a_call_depends_on_is_the_condition_before_it() {
        let steps = [
            step(0, &[], &["n"]),
            step(0, &["n"], &["n"]),
            step(0, &["n"], &[]),
            step(0, &[], &[]),
            step(0, &["lock"], &[]),
        ];
        assert_eq!(story(&steps), [2, 1, 0]);
    }

    #[test]
    fn a_value_that_changed_after_it_was_tested_is_told() {
        let steps = [
            step(1, &["free"], &[]),
            step(2, &["free"], &["free"]),
            step(1, &["slot"], &["slot"]),
            step(1, &["slot"], &[]),
        ];
        assert_eq!(story(&steps), [2, 1, 0]);
    }
}
