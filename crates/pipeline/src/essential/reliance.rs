//! What a step relies on, and how far away that is.
//!
//! A value relies on the step that wrote it last, a message on the step that sent it, a step on the condition or the message
//! that let its process come to it. Where somebody else wrote a value between the step that read it and the step that
//! relies on it, that write counts as well: races are made of it.

use std::collections::{BTreeMap, BTreeSet};

use explain::anomalies::deferred::TouchedStep;
use explain::anomalies::sequence::{Link, Why, sequence};

use super::counting::is_loop_counter;

/// How much further a condition is than a value: what lets a step happen says less than what it works with.
const CONDITION: usize = 3;
/// How many conditions before a message are asked, the nearest first.
const CONDITIONS: usize = 3;

/// How often what newly belongs to the story is asked what it relies on.
const ROUNDS: usize = 3;

/// The steps that the sources rely on, those that steps of others rely on that came in between, and what conditions before
/// calls rely on: with how far they are, the nearest first and of equally near ones the later first. Each source comes
/// with how far it is itself; one that is no distance away is not among the answers.
pub(super) fn needed(steps: &[TouchedStep], sources: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut seeds: Vec<usize> = sources.iter().map(|(_, at)| *at).collect();
    let mut found = Vec::new();
    for _ in 0..ROUNDS {
        let links = sequence(steps, &[], &seeds).links;
        found = by_distance(steps, &links, sources);
        let mut next: BTreeSet<usize> = found.iter().chain(sources).map(|(_, at)| *at).collect();
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

/// Whether a step only asks: it changes nothing and starts nothing.
pub(super) fn is_condition(step: &TouchedStep) -> bool {
    is_silent(step) && step.footprint.writes.is_empty() && !step.footprint.reads.is_empty()
}

/// Takes out of the steps what was computed on the way and is used up by the step itself, as the value of a condition is; and
/// counts what calls give to their parameters as written.
pub(super) fn settle(steps: &mut [TouchedStep]) {
    let is_used = |steps: &[TouchedStep], at: usize, name: &String| {
        let later = steps[at + 1..].iter().filter(|step| shares_actor(step, &steps[at]));
        let mut meets = later.map(|step| &step.footprint);
        meets
            .find(|other| other.reads.contains(name) || other.writes.contains(name))
            .is_some_and(|other| other.reads.contains(name))
    };
    for at in 0..steps.len() {
        let unused = |name: &String| graph::is_computed(name) && !is_used(steps, at, name);
        let mut writes: Vec<String> =
            steps[at].footprint.writes.iter().filter(|name| !unused(name)).cloned().collect();
        writes.extend(steps[at].footprint.begins.iter().cloned());
        steps[at].footprint.writes = writes;
    }
}

fn is_silent(step: &TouchedStep) -> bool {
    let footprint = &step.footprint;
    footprint.sends.is_empty() && footprint.receives.is_empty() && footprint.begins.is_empty()
}

/// The conditions that let a step happen, if only calls and returns lie between them; of a source also if others do, and of
/// who sends a message several.
fn guarding(steps: &[TouchedStep], to: usize, is_source: bool) -> Vec<(usize, usize)> {
    let own = (0..to).rev().filter(|at| shares_actor(&steps[*at], &steps[to]));
    let sends = steps.get(to).is_some_and(|step| !step.footprint.sends.is_empty());
    let most = match () {
        () if sends => CONDITIONS,
        () => 1,
    };
    let cost = match () {
        // Why somebody sleeps, and why something happened that is told anyway, is asked first.
        () if is_source => 1,
        () if sends => CONDITION - 1,
        () => CONDITION,
    };
    let mut found = Vec::new();
    for at in own {
        let step = &steps[at];
        if is_condition(step) {
            if !(sends && is_loop_counter(steps, at)) {
                found.push((at, cost + found.len()));
            }
        } else if !step.footprint.receives.is_empty() && step.footprint.sends.is_empty() {
            // A message is taken by who waited for it.
            found.push((at, found.len() + 1));
            break;
        }
        let is_call = is_silent(step) && step.footprint.writes.is_empty();
        if found.len() >= most || !(is_call || is_source || sends) {
            break;
        }
    }
    found
}

/// The steps that the sources rely on.
fn by_distance(steps: &[TouchedStep], links: &[Link], sources: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut distance: BTreeMap<usize, usize> = BTreeMap::new();
    for (far, at) in sources {
        let known = distance.entry(*at).or_insert(usize::MAX);
        *known = (*known).min(*far);
    }
    let is_end = |at: usize| sources.contains(&(0, at));
    let is_source = |at: usize| sources.iter().any(|(_, source)| *source == at);
    let mut waiting: BTreeSet<(usize, usize)> = distance.iter().map(|(at, far)| (*far, *at)).collect();
    while let Some((far, to)) = waiting.pop_first() {
        let needed = links.iter().filter(|link| link.to == to).map(|link| {
            let further = match &link.why {
                Why::Guarded => CONDITION,
                // What a call returns is what was returned.
                Why::Wrote(name) if graph::is_computed(name) => 0,
                // So is what it was given.
                Why::Wrote(name) if steps[link.from].footprint.begins.contains(name) => 0,
                _ => 1,
            };
            (link.from, further)
        });
        let overtaking = overtaking(steps, links, to).into_iter().map(|at| (at, 1));
        for (from, further) in needed.chain(overtaking).chain(guarding(steps, to, is_source(to))) {
            let known = distance.entry(from).or_insert(usize::MAX);
            if far + further < *known {
                *known = far + further;
                waiting.insert((far + further, from));
            }
        }
    }
    let others = distance.into_iter().filter(|(at, _)| !is_end(*at));
    let mut order: Vec<(usize, usize)> = others.map(|(at, far)| (far, at)).collect();
    order.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.cmp(&one.1)));
    order
}

/// Steps of others that wrote what a process had read for a step, between that read and the step.
fn overtaking(steps: &[TouchedStep], links: &[Link], to: usize) -> BTreeSet<usize> {
    let is_own = |at: usize| shares_actor(&steps[at], &steps[to]);
    if (0..to).all(is_own) {
        return BTreeSet::new();
    }
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

pub(super) fn shares_actor(one: &TouchedStep, other: &TouchedStep) -> bool {
    one.actors.iter().any(|own| other.actors.iter().any(|actor| own == actor))
}

#[cfg(test)]
mod tests {
    use graph::{Actors, Footprint};

    use super::*;

    fn step(process: u8, reads: &[&str], writes: &[&str]) -> TouchedStep {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        let footprint = Footprint { reads: names(reads), writes: names(writes), ..Footprint::default() };
        TouchedStep { label: 0, actors: Actors::new(process, None), footprint, is_inside: false }
    }

    fn story(steps: &[TouchedStep]) -> Vec<usize> {
        let seed = steps.len() - 1;
        needed(steps, &[(0, seed)]).into_iter().map(|(_, at)| at).collect()
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
