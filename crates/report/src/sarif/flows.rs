//! The counterexample as code flows.
//!
//! SARIF thinks of a concurrent run as a bundle of thread flows whose `executionOrder` says how they interleave. Most
//! viewers show only the first flow of the first bundle, so that one is the whole trace as it happened; the flows of
//! the processes come in a second bundle.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::artifacts::Artifacts;
use super::log::{CodeFlow, FlowLocation, Location, LogicalLocation, Message, ThreadFlow};
use super::message::message_text;
use crate::{Cause, Counterexample, Step};

/// How many locations the flows of a result may have; the whole trace is told in any case.
const MOST_LOCATIONS: usize = 100_000;
/// How many causes have a flow of their own.
const MOST_CAUSES: usize = 10;
/// How many changes of values the message of a step names; its `state` has all.
const MOST_CHANGES: usize = 4;

/// Writes the flows of a result, which all are about one counterexample.
#[derive(Debug)]
pub(super) struct Flows<'a> {
    trace: &'a Counterexample,
    input: &'a str,
    left: usize,
    /// Whether steps were told apart by their importance at all.
    is_abstracted: bool,
}

impl<'a> Flows<'a> {
    pub(super) fn new(trace: &'a Counterexample, input: &'a str) -> Self {
        let is_abstracted = trace.steps.iter().any(|step| step.kept);
        Self { trace, input, left: MOST_LOCATIONS, is_abstracted }
    }

    /// The flows of a result that blames some of the steps: the whole trace, the same by process, and the steps of each
    /// cause.
    pub(super) fn for_result(
        &mut self,
        blamed: &[u64],
        causes: &[Cause],
        artifacts: &mut Artifacts<'_>,
    ) -> Vec<CodeFlow<'a>> {
        let steps = &self.trace.steps;
        if steps.is_empty() {
            return Vec::new();
        }
        let blamed: &BTreeSet<u64> = &blamed.iter().copied().collect();
        self.left = self.left.saturating_sub(steps.len());
        let told = steps.iter().map(|step| self.told(step, None, blamed, artifacts)).collect();
        let whole = ThreadFlow { id: None, initial_state: self.initial_state(), locations: told };
        let mut flows = vec![flow("the counterexample, as it happened", vec![whole])];
        // A rendezvous is a step of two.
        let locations = steps.len() + steps.iter().filter(|step| step.partner.is_some()).count();
        let actors = self.actors();
        if actors.len() > 1 && locations <= self.left {
            self.left -= locations;
            let of_actor = |((name, pid), deeds): (Actor<'a>, Vec<(usize, Side)>),
                            artifacts: &mut Artifacts<'_>| {
                let told =
                    deeds.into_iter().map(|(at, side)| self.told(&steps[at], Some(side), blamed, artifacts));
                let id = Some(actor_name(name, pid).into_owned());
                ThreadFlow { id, initial_state: BTreeMap::new(), locations: told.collect() }
            };
            let threads = actors.into_iter().map(|actor| of_actor(actor, artifacts)).collect();
            flows.push(flow("the same by process", threads));
        }
        for cause in causes.iter().take(MOST_CAUSES) {
            let own: BTreeSet<usize> = cause.steps.iter().filter_map(|n| self.place_of(*n)).collect();
            if own.is_empty() || own.len() > self.left {
                continue;
            }
            self.left -= own.len();
            let told = own.iter().map(|at| self.told(&steps[*at], None, blamed, artifacts)).collect();
            let thread = ThreadFlow { id: None, initial_state: BTreeMap::new(), locations: told };
            let text = message_text(&format!("steps of cause {}: {}", cause.rank, cause.summary));
            flows.push(flow(&text, vec![thread]));
        }
        flows
    }

    /// The place of a step in the trace, by its number.
    fn place_of(&self, n: u64) -> Option<usize> {
        let at = usize::try_from(n.checked_sub(1)?).ok()?;
        (at < self.trace.steps.len()).then_some(at)
    }

    /// Who moves, in order, and at which steps.
    fn actors(&self) -> BTreeMap<Actor<'a>, Vec<(usize, Side)>> {
        let mut actors: BTreeMap<Actor<'a>, Vec<(usize, Side)>> = BTreeMap::new();
        for (at, step) in self.trace.steps.iter().enumerate() {
            if let Some(process) = &step.process {
                actors.entry((process, step.pid)).or_default().push((at, Side::Own));
            }
            if let Some(partner) = &step.partner {
                actors.entry((&partner.process, partner.pid)).or_default().push((at, Side::Partner));
            }
        }
        actors
    }

    fn initial_state(&self) -> BTreeMap<&'a str, Message> {
        let value = |text: &String| Message { text: message_text(text) };
        self.trace.initial.iter().map(|(name, text)| (&**name, value(text))).collect()
    }

    fn told(
        &self,
        step: &'a Step,
        side: Option<Side>,
        blamed: &BTreeSet<u64>,
        artifacts: &mut Artifacts<'_>,
    ) -> FlowLocation<'a> {
        let is_last = step.n == self.trace.length;
        let importance = if step.kept || is_last || blamed.contains(&step.n) {
            "essential"
        } else if self.is_abstracted {
            "unimportant"
        } else {
            "important"
        };
        let (place, logical) = match (side, &step.partner) {
            (Some(Side::Partner), Some(partner)) => {
                (&partner.location, process_location(&partner.process, partner.pid))
            }
            _ => (&step.location, actor(step)),
        };
        // A transition system has no lines.
        let place =
            place.as_ref().map(|place| artifacts.place(place)).unwrap_or_else(|| artifacts.whole(self.input));
        let location = Location {
            physical_location: Some(place),
            logical_locations: vec![logical],
            message: Some(Message { text: message_text(&self.sentence(step, side)) }),
            ..Location::default()
        };
        let gone = || Message { text: "(no value)".to_owned() };
        let value = |new: &Option<String>| new.as_ref().map(|text| Message { text: message_text(text) });
        let state =
            step.changes.iter().map(|(name, [_, new])| (&**name, value(new).unwrap_or_else(gone))).collect();
        FlowLocation { location, state, nesting_level: step.depth, execution_order: step.n, importance }
    }

    /// What a step does, what it changes, and what is to be said of it.
    fn sentence(&self, step: &Step, side: Option<Side>) -> String {
        let mut text = match (side, &step.partner) {
            (Some(Side::Partner), Some(partner)) => partner.action.clone(),
            (Some(_), _) => step.action.clone(),
            (None, Some(partner)) => {
                let partner_name = actor_name(&partner.process, partner.pid);
                format!("{}, with {partner_name} {}", deed(step), partner.action)
            }
            (None, None) => deed(step),
        };
        if !step.inputs.is_empty() {
            let values: Vec<String> = step.inputs.iter().take(MOST_CHANGES).map(i64::to_string).collect();
            text.push_str(&format!("; given {}", values.join(", ")));
        }
        for (name, [old, new]) in step.changes.iter().take(MOST_CHANGES) {
            let value = |value: &Option<String>| value.clone().unwrap_or_else(|| "nothing".to_owned());
            text.push_str(&format!("; {name}: {} -> {}", value(old), value(new)));
        }
        if step.changes.len() > MOST_CHANGES {
            text.push_str(&format!("; {} more values", step.changes.len() - MOST_CHANGES));
        }
        if step.point_of_no_return {
            text.push_str(" (point of no return)");
        }
        if self.trace.loop_start == Some(step.n) {
            text.push_str(" (the loop begins here and is repeated forever)");
        }
        if step.n == self.trace.length && self.trace.loop_start.is_none() {
            text.push_str(" (the violation)");
        }
        text
    }
}

/// A process, by name and number.
type Actor<'a> = (&'a str, Option<u64>);

/// Whose part of a rendezvous is told.
#[derive(Clone, Copy, Debug)]
enum Side {
    Own,
    Partner,
}

fn flow<'a>(text: &str, thread_flows: Vec<ThreadFlow<'a>>) -> CodeFlow<'a> {
    CodeFlow { message: Message { text: text.to_owned() }, thread_flows }
}

/// Who does what.
fn deed(step: &Step) -> String {
    match &step.process {
        Some(process) => format!("{} {}", actor_name(process, step.pid), step.action),
        None => step.action.clone(),
    }
}

fn actor_name(process: &str, pid: Option<u64>) -> Cow<'_, str> {
    pid.map_or(process.into(), |pid| format!("{process}:{pid}").into())
}

/// Who does a step, or what it is called where nobody does it.
pub(super) fn actor(step: &Step) -> LogicalLocation<'_> {
    match &step.process {
        Some(process) => process_location(process, step.pid),
        None => LogicalLocation { fully_qualified_name: (&*step.action).into(), kind: "event" },
    }
}

fn process_location(process: &str, pid: Option<u64>) -> LogicalLocation<'_> {
    LogicalLocation { fully_qualified_name: actor_name(process, pid), kind: "process" }
}
