//! The steps without which the story of a counterexample cannot be told.
//!
//! The violation asks a question: who made its condition false, or who took what the blocked processes wait for? The
//! last step that wrote each of those values belongs to the story, for a counter each step that moved it there
//! ([`counting`]), then the steps that those relied on, nearest first ([`reliance`]). The steps that the first cause is
//! about come before all of these. Of a long loop the steps are told that write what the property asks, and the messages.
//!
//! Some steps say nothing however near they are ([`Choice::says_nothing`]): assertions that hold, processes that are started,
//! counters of loops.

mod counting;
mod reliance;

use std::collections::BTreeMap;

use explain::anomalies::deferred::TouchedStep;
use findings::{Cause, Claim, Counterexample, EndlessProperty, Run, ViolationKind, What};
use graph::{Actors, Footprint};

use self::counting::{counted, is_loop_counter};
use self::reliance::{is_condition, needed, settle, shares_actor};

/// How many steps a story has at most.
const MOST: usize = 9;
/// How many of them may be steps of a sequence that the first cause names. A pattern has no step too many; of a suspicious
/// statement only the last time that it was executed counts.
const MOST_NAMED: usize = 4;
/// A story with fewer steps says nothing. The last steps of the trace tell at least where everybody stands.
const TOO_FEW: usize = 3;
const FILLED: usize = 6;
/// Steps that are further from the violation belong to its story only if it has so few others.
const FURTHEST: usize = 6;
const ENOUGH: usize = 8;
/// How many of the calls that lead to the violation are told, where calls are known.
const CALLERS: usize = 2;
/// A loop that is not longer is told whole.
const SHORT_LOOP: usize = 8;
/// How many steps of a longer one are told.
const MOST_OF_A_LOOP: usize = 6;
/// How often one statement of one process is told, where it is no counter.
const MOST_TIMES: usize = 2;
/// The same of one that sends.
const MOST_SENT: usize = 4;
/// How much further a step is that only passes on what the story has anyway.
const PASSING_ON: usize = 2;

/// The indices of the steps, ascending; empty where nothing is known of what steps touch.
pub(crate) fn essential(counterexample: &Counterexample, first: Option<&Cause>) -> Vec<usize> {
    let count = counterexample.steps.len();
    if count == 0 || counterexample.run.footprints.len() < count {
        return Vec::new();
    }
    let mut steps = touched(counterexample);
    settle(&mut steps);
    let mut story = Choice { counterexample, steps: &steps, chosen: Vec::new() };
    let in_loop = story.in_loop();
    if counterexample.loop_start.is_none() {
        story.add(count - 1);
    }
    // What is wrong with a state is asked behind the last step.
    let is_broken = matches!(counterexample.what, Some(What::Broken { .. }));
    let is_state = is_broken || counterexample.kind == ViolationKind::Deadlock;
    let seed = if is_state { count } else { count - 1 };
    story.named(first, seed);
    let named = story.chosen.clone();
    story.extend(counterexample.steps.iter().rposition(|step| step.point_of_no_return));
    for at in story.callers() {
        story.add(at);
    }
    for at in &in_loop {
        story.add(*at);
    }
    let counters = counted(counterexample, &steps[seed].footprint.reads);
    for at in &counters {
        story.add(*at);
    }
    let near = named.into_iter().chain(counters).chain(in_loop).filter(|at| *at != seed);
    let mut sources: Vec<(usize, usize)> = near.map(|at| (1, at)).collect();
    sources.extend(story.last_of_the_blocked().map(|at| (2, at)));
    if counterexample.loop_start.is_none() {
        sources.push((0, seed));
    }
    for (far, at) in story.in_order(needed(&steps, &sources)) {
        let enough = if far > FURTHEST { ENOUGH } else { MOST };
        if story.chosen.len() >= enough {
            break;
        }
        if !story.says_nothing(far, at) {
            story.add(at);
        }
    }
    if story.chosen.len() < TOO_FEW {
        for at in latest(counterexample).into_iter().take(FILLED) {
            story.add(at);
        }
    }
    let mut steps = story.chosen;
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

/// The steps with what they touch, and one more for what the blocked processes want.
fn touched(counterexample: &Counterexample) -> Vec<TouchedStep> {
    let Run { footprints, wants, .. } = &*counterexample.run;
    let of = |pid: Option<u64>| pid.and_then(|pid| u8::try_from(pid).ok());
    let actors = counterexample.steps.iter().map(|step| {
        let partner = step.partner.as_ref().and_then(|with| of(with.pid));
        of(step.pid).map_or(Actors::NONE, |own| Actors::new(own, partner))
    });
    let line = |step: &findings::Step| step.location.as_ref().map_or(0, |at| at.line);
    let lines = counterexample.steps.iter().map(line).chain(std::iter::once(0));
    let step = |((actors, footprint), line): ((Actors, &Footprint), u64)| TouchedStep {
        // Steps are told apart by their lines.
        label: u32::try_from(line).unwrap_or(u32::MAX),
        actors,
        footprint: footprint.clone(),
        is_inside: false,
    };
    let ending = (Actors::NONE, wants);
    actors.zip(footprints).chain(std::iter::once(ending)).zip(lines).map(step).collect()
}

/// The story under construction: steps in the order of their importance.
struct Choice<'a> {
    counterexample: &'a Counterexample,
    steps: &'a [TouchedStep],
    chosen: Vec<usize>,
}

impl Choice<'_> {
    fn add(&mut self, at: usize) {
        if !self.chosen.contains(&at) {
            self.chosen.push(at);
        }
    }

    fn extend(&mut self, at: Option<usize>) {
        at.into_iter().for_each(|at| self.add(at));
    }

    /// The steps that the first cause is about.
    fn named(&mut self, first: Option<&Cause>, seed: usize) {
        let steps = &self.counterexample.steps;
        let most = match first.map(|cause| &cause.main.claim) {
            Some(Claim::Pattern(_)) => MOST - 2,
            Some(Claim::Anomaly { .. }) => MOST_NAMED,
            _ => 1,
        };
        for step in first.map_or(&[][..], |cause| &cause.main.steps).iter().rev().take(most) {
            self.add((*step as usize).saturating_sub(1).min(steps.len() - 1));
        }
        // What is said of a line without a step is said of the last time that the line was executed; where an assignment is
        // missing there, before the step on which the violation relies reads what is not set.
        if let Some(cause) = first.filter(|cause| cause.main.steps.is_empty()) {
            let reading = self.reading_of_what_is_missing(cause, seed);
            self.extend(reading);
            let until = reading.unwrap_or(steps.len());
            let line = |at: &findings::Location| (at.file.clone(), at.outermost().line);
            let place = cause.locations.first().map(line);
            let is_there =
                |step: &findings::Step| place.is_some() && step.location.as_ref().map(line) == place;
            self.extend(steps[..until].iter().rposition(is_there));
        }
    }

    /// The last step on which the violation relies that reads the variable of a missing assignment.
    fn reading_of_what_is_missing(&self, cause: &Cause, seed: usize) -> Option<usize> {
        let Claim::MayBeWrong(found) = &cause.main.claim else { return None };
        let parts = found.change.parts();
        let (target, _) = parts.first().filter(|_| found.adds)?.split_once(" = ")?;
        let own = |name: &str| {
            let name = name.split('[').next().unwrap_or(name);
            name.rsplit(['.', '>', ':', ' ']).next().unwrap_or(name).to_owned()
        };
        let target = own(target);
        let reads = |at: &usize| {
            self.steps
                .get(*at)
                .is_some_and(|step| step.footprint.reads.iter().any(|name| own(name) == target))
        };
        let relied_on = needed(self.steps, &[(0, seed)]).into_iter().map(|(_, at)| at);
        relied_on.chain([seed]).filter(|at| *at < self.counterexample.steps.len()).filter(reads).max()
    }

    /// The calls inside of which the violation lies, the innermost first.
    fn callers(&self) -> Vec<usize> {
        let steps = &self.counterexample.steps;
        let mut found = Vec::new();
        let mut inner = steps.last().and_then(|last| last.depth);
        while let Some(depth) = inner.and_then(|depth| depth.checked_sub(1)).filter(|_| found.len() < CALLERS)
        {
            found.extend(steps.iter().rposition(|step| step.depth == Some(depth)));
            inner = Some(depth);
        }
        found
    }

    /// Of a loop what its story needs: of a short one all that does something, of a long one the steps that change what the
    /// property asks, and the messages.
    fn in_loop(&self) -> Vec<usize> {
        let Counterexample { steps, loop_start: Some(first), what, .. } = self.counterexample else {
            return Vec::new();
        };
        let all: Vec<usize> = ((*first as usize).saturating_sub(1)..steps.len()).collect();
        if all.len() <= SHORT_LOOP {
            return all;
        }
        let asked = match what {
            Some(What::Endless { property: EndlessProperty::Stated(text), .. }) => text.as_str(),
            _ => "",
        };
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        let asks = |name: &str| {
            let base = name.split(['[', '.']).next().unwrap_or(name);
            asked.split(|c| !is_word(c)).any(|word| word == base)
        };
        let writes = |at: &usize| steps[*at].changes.keys().any(|name| asks(name));
        let speaks = |at: &usize| {
            let Footprint { sends, receives, .. } = &self.steps[*at].footprint;
            !(sends.is_empty() && receives.is_empty())
        };
        let (mut told, others): (Vec<usize>, Vec<usize>) = all.into_iter().partition(writes);
        told.extend(others.into_iter().filter(speaks));
        told.truncate(MOST_OF_A_LOOP);
        told
    }

    /// The last steps of those that are blocked and may not end where they stand.
    fn last_of_the_blocked(&self) -> impl Iterator<Item = usize> {
        let Counterexample { steps, blocked, .. } = self.counterexample;
        let stuck = blocked.iter().filter(|one| !one.may_end);
        let last = stuck.filter_map(|one| steps.iter().rposition(|step| step.pid == one.pid));
        last.filter(|at| !steps[*at].changes.is_empty())
    }

    /// What is near comes first; what only passes on what its process does at once comes after that.
    fn in_order(&self, found: Vec<(usize, usize)>) -> Vec<(usize, usize)> {
        let near: BTreeMap<usize, usize> = found.iter().map(|(far, at)| (*at, *far)).collect();
        let passes_on = |far: usize, at: usize| {
            let step = &self.steps[at];
            let next =
                (at + 1..self.counterexample.steps.len()).find(|next| shares_actor(&self.steps[*next], step));
            let is_next_told = next.is_some_and(|next| {
                self.chosen.contains(&next) || near.get(&next).is_some_and(|other| *other <= far)
            });
            let receives = !step.footprint.receives.is_empty() && step.footprint.sends.is_empty();
            let told = &self.counterexample.steps[at];
            let returns =
                told.changes.is_empty() && step.footprint.writes.iter().any(|name| graph::is_computed(name));
            // What a process keeps to itself blocks nobody.
            let is_private = self.counterexample.kind == ViolationKind::Deadlock
                && !told.changes.is_empty()
                && told.changes.keys().all(|name| is_private(name));
            let calls = step.footprint.begins.iter().any(|name| number_of(name) == told.pid);
            (receives && is_next_told) || returns || calls || is_private || is_locking(step, told)
        };
        let mut order: Vec<(usize, usize)> = found
            .iter()
            .map(|(far, at)| (far + if passes_on(*far, *at) { PASSING_ON } else { 0 }, *at))
            .collect();
        order.sort_by(|one, other| one.0.cmp(&other.0).then(other.1.cmp(&one.1)));
        order
    }

    /// Whether a step says nothing, however near it is.
    fn says_nothing(&self, far: usize, at: usize) -> bool {
        let Some(told) = self.counterexample.steps.get(at) else { return true };
        let step = &self.steps[at];
        // Both languages spell assertions alike; one that fails is the end.
        let holds = is_condition(step) && told.action.starts_with("assert");
        let starts = step.footprint.begins.iter().any(|name| number_of(name) != told.pid);
        let stays = far > 1 && told.changes.is_empty() && !told.stays.is_empty();
        let same = |other: &usize| {
            let other = &self.counterexample.steps[*other];
            (&other.action, other.pid) == (&told.action, told.pid) && other.location == told.location
        };
        let times = self.chosen.iter().filter(|other| same(other)).count();
        let most = if step.footprint.sends.is_empty() { MOST_TIMES } else { MOST_SENT };
        holds || starts || stays || times >= most || is_loop_counter(self.steps, at)
    }
}

/// Whether a step takes something or gives it back: it asks what it changes, and that is no number.
fn is_locking(step: &TouchedStep, told: &findings::Step) -> bool {
    let is_number = |value: &Option<String>| value.as_ref().is_some_and(|value| value.parse::<i64>().is_ok());
    let is_held = |(name, [old, new]): (&String, &[Option<String>; 2])| {
        step.footprint.reads.contains(name) && !is_number(old) && !is_number(new)
    };
    !told.changes.is_empty() && told.changes.iter().all(is_held)
}

/// The number of the process that a variable belongs to: `2:f.x` of a program, `p:2.x` of a model; that of `main` is left out.
fn number_of(name: &str) -> Option<u64> {
    let mut parts = name.split([':', '.']);
    let (first, second) = (parts.next()?, parts.next());
    let number = first.parse().ok().or_else(|| second?.parse().ok());
    number.filter(|_| is_private(name)).or(Some(0))
}

/// Whether a variable belongs to one process or call.
fn is_private(name: &str) -> bool {
    name.contains(':')
}
