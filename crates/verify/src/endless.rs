//! What a report says of a property of endless traces.
//!
//! The verdict is found by [`Walk`]s over all states. The counterexample is gone again step by step; it has to come back to
//! where its loop begins, or to an end, and the formula has to be false of it. What can still become of a trace after each
//! step is asked of traces that meet the formula and of traces that violate it.

use std::collections::BTreeSet;

use findings::{Beyond, Shows, TestResult, Verification, Witness};
use graph::{Story, System};

use crate::case::{Case, Followed, Tested, result, same, unknown};
use crate::entries::{Entry, What, entries};
use crate::fates::Fates;
use crate::ltl::{At, Ltl, Walk};
use crate::model::Model;
use crate::net::Net;
use crate::pattern::{self, Pattern};
use crate::raw::TooLarge;
use crate::repair::{self, Text};
use crate::replay::{self, Layer};
use crate::report::{Counterexample, Evaluation, Report, Step};
use crate::says::{Decision, Says};
use crate::unmet::{self, Unmet};
use crate::verdict;
use crate::{Limits, Properties, untestable};

/// A property of endless traces.
#[derive(Clone, Copy)]
#[expect(missing_debug_implementations, reason = "functions cannot be shown")]
pub struct Endless<'a> {
    /// What must hold of every trace.
    pub formula: &'a Ltl,
    /// The atoms that are true in a state, as bits; nothing where they cannot be told.
    pub letter: &'a dyn Fn(&[u8]) -> Option<u64>,
    /// Its parts, operands before what they belong to.
    pub parts: &'a [Ltl],
    /// What the atoms are called.
    pub atoms: &'a [String],
    /// Whether atoms mean something where a trace has ended.
    pub repeats_last: bool,
    /// Which endless traces must meet it: all, or those that are weakly fair.
    pub is_fair: bool,
}

impl Endless<'_> {
    fn letters(&self, model: &Model<'_>, net: &Net) -> Option<Vec<u64>> {
        let letter = |node: usize| {
            let ends = net.nodes[node].edges.is_empty() && !self.repeats_last;
            let bytes = model.raw.states.get(node).filter(|_| !ends && !net.nodes[node].is_uninterrupted);
            bytes.map_or(Some(0), |bytes| (self.letter)(bytes))
        };
        (0..net.nodes.len()).map(letter).collect()
    }
}

/// How many places a walk may have for each state that may be explored.
const PLACES: u64 = 4;

/// Whether a property of endless traces is violated.
///
/// # Errors
/// If it is too large to tell.
pub fn is_violated<S: System>(
    system: &S,
    story: &dyn Story,
    endless: Endless<'_>,
    limits: Limits<'_>,
) -> Result<bool, Beyond> {
    let model = explored(system, story, limits)?;
    let net = model.net(usize::MAX, false, true);
    let letters = endless.letters(&model, &net).ok_or(Beyond::Unknowable)?;
    let walk = Walk::new(&net, &letters, endless.formula, endless.is_fair, limits.max_states * PLACES);
    Ok(walk.ok_or(Beyond::States(limits.max_states))?.is_possible(false))
}

fn explored<'s, S: System>(
    system: &S,
    story: &'s dyn Story,
    limits: Limits<'_>,
) -> Result<Model<'s>, Beyond> {
    match Model::new(system, story, &|_| true, None, (limits.max_states, limits.watch)) {
        Ok(model) if model.is_unknowable() => Err(Beyond::Unknowable),
        Ok(model) => Ok(model),
        Err(TooLarge::States(most)) => Err(Beyond::States(most)),
        Err(TooLarge::Interrupted(why)) => Err(Beyond::Interrupted(why.to_string())),
    }
}

pub(crate) fn judge<S: System>(
    report: &Report,
    system: &S,
    story: &dyn Story,
    (endless, properties, text): (Endless<'_>, Properties<'_>, Option<Text<'_>>),
    limits: Limits<'_>,
) -> Verification {
    let model = match explored(system, story, limits) {
        Ok(model) => model,
        Err(why) => return untestable(report, &why),
    };
    let net = model.net(usize::MAX, false, true);
    let Some(letters) = endless.letters(&model, &net) else { return untestable(report, &Beyond::Unknowable) };
    let most = limits.max_states * PLACES;
    let Some(walk) = Walk::new(&net, &letters, endless.formula, endless.is_fair, most) else {
        return untestable(report, &Beyond::States(limits.max_states));
    };
    let fates = Fates::new(&net, false);
    let case = Case {
        net: &net,
        fates: &fates,
        words: &model,
        live: net.live(),
        trace: None,
        is_fair: endless.is_fair,
    };
    let followed = report
        .counterexample
        .as_ref()
        .map_or_else(|| Err(unknown("a counterexample")), |told| follow(&case, &walk, told));
    let case = Case { trace: followed.as_ref().ok().cloned(), ..case };
    let judge = Judge { report, model: &model, endless, properties, text, case, walk: &walk, followed };
    let fair = || Walk::new(&net, &letters, endless.formula, true, most);
    let tested = entries(report).into_iter().map(|entry| {
        let result = match judge.test(&entry, &fair) {
            TestResult::Refuted(_) if !report.statistics.complete => {
                TestResult::TooLarge(Beyond::PartialReport)
            }
            tested => tested,
        };
        entry.tested(result)
    });
    Verification { claims: tested.collect() }
}

struct Judge<'a> {
    report: &'a Report,
    model: &'a Model<'a>,
    endless: Endless<'a>,
    properties: Properties<'a>,
    text: Option<Text<'a>>,
    case: Case<'a>,
    walk: &'a Walk<'a>,
    followed: Result<Followed, Witness>,
}

impl Judge<'_> {
    fn test<'w>(&self, entry: &Entry<'_>, fair: &dyn Fn() -> Option<Walk<'w>>) -> TestResult {
        let report = self.report;
        let holds_if_fair = || fair().map(|walk| !walk.is_possible(false));
        match entry.what {
            What::Verdict => verdict::of(report, self.walk.is_possible(false)),
            What::OtherProperty(told) => verdict::of_other(told, self.properties),
            What::Statistics => result(self.statistics()),
            What::Violation(told) => result(same("count", &told.count, &1).and_then(|()| {
                let length = report.counterexample.as_ref().map_or(told.shortest, |found| found.length);
                same("shortest", &told.shortest, &length)
            })),
            What::AllViolations => {
                let violated = u64::from(self.walk.is_possible(false));
                result(same("violations", &(report.violations.len() as u64), &violated))
            }
            What::Steps => result(self.followed.clone().map(|_| ())),
            What::Ending(told) => result(self.ending(told)),
            What::Evaluation(told) if told.parts.len() == self.endless.parts.len() => {
                result(self.evaluation(told))
            }
            What::OnlyUnfair => match holds_if_fair() {
                Some(holds) => result(same("only_unfair", &true, &holds)),
                None => TestResult::TooLarge(Beyond::PartialReport),
            },
            What::Repair(told) => self.repair(told),
            What::Claim { says: Some(says), steps, .. } => self.claim(says, steps, &holds_if_fair),
            _ => TestResult::NotTested,
        }
    }

    fn statistics(&self) -> Tested {
        let raw = &self.model.raw;
        let states = raw.uninterrupted.iter().filter(|inside| !**inside).count() as u64;
        same("states", &self.report.statistics.states, &states)?;
        let depth = raw.depth.iter().copied().max().unwrap_or_default();
        same("max_depth", &self.report.statistics.max_depth, &depth)
    }

    /// The trace does what is told after its last step, and the formula is false of it.
    fn ending(&self, told: &Counterexample) -> Tested {
        same("length", &told.length, &(told.steps.len() as u64))?;
        let trace = self.case.trace()?;
        let end = trace.nodes.last().copied().unwrap_or_default();
        let start = told.loop_start.and_then(|start| usize::try_from(start).ok()?.checked_sub(1));
        let stops = self.case.net.nodes[end].edges.is_empty();
        if start.is_none() && !stops {
            // Whatever comes then violates it.
            let fails = self.walk.along(&trace.nodes, false);
            let passes = self.walk.along(&trace.nodes, true);
            let last = |all: &[Vec<At>]| all.last().is_some_and(|places| self.walk.any_goes_on(places));
            same("whether it can be met after the last step", &false, &last(&passes))?;
            return same("whether it can be violated after the last step", &true, &last(&fails));
        }
        let holds = self.walk.holds_of(&trace.nodes, start);
        same("whether the property holds of the trace", &Some(false), &holds)
    }

    /// Each part holds where it is said to, by the definition of its operator.
    fn evaluation(&self, told: &Evaluation) -> Tested {
        let trace = self.case.trace()?;
        let start = self.report.counterexample.as_ref().and_then(|told| told.loop_start);
        let start = start.and_then(|start| usize::try_from(start).ok()?.checked_sub(1));
        for (part, told) in self.endless.parts.iter().zip(&told.parts) {
            let Some(found) = self.walk.values(part, &trace.nodes, start) else { continue };
            for (at, value) in found {
                let letter = told.values.chars().nth(at).unwrap_or_default();
                if matches!(letter, 'T' | 'F') {
                    same(
                        &format!("whether `{}` holds after step {at}", told.text),
                        &(letter == 'T'),
                        &value,
                    )?;
                }
            }
        }
        Ok(())
    }

    fn claim(&self, says: &Says, steps: &[u64], holds_if_fair: &dyn Fn() -> Option<bool>) -> TestResult {
        let malformed = |error: serde_json::Error| Err(unknown(&format!("a claim `{}`: {error}", says.kind)));
        result(match says.kind.as_str() {
            "point-of-no-return" => match says.read::<Decision>() {
                Err(error) => malformed(error),
                Ok(told) => self.decision(&told),
            },
            "unmet" => match says.read::<Unmet>() {
                Err(error) => malformed(error),
                Ok(told) => {
                    let start = self.report.counterexample.as_ref().and_then(|told| told.loop_start);
                    let (endless, model) = (&self.endless, self.model);
                    unmet::unmet(&self.case, (endless, model), &told, (steps, start), holds_if_fair)
                }
            },
            "pattern" => match says.read::<Pattern>() {
                Err(error) => malformed(error),
                Ok(told) => pattern::cast(&self.case, &told),
            },
            "repair" | "may-be-wrong" => match says.read::<repair::Claimed>() {
                Err(error) => malformed(error),
                Ok(told) => return self.repair(&told.repair),
            },
            _ => return TestResult::NotTested,
        })
    }

    /// Before the step the property could still be met, after it not.
    fn decision(&self, told: &Decision) -> Tested {
        self.case.step_is(told.step, &told.event)?;
        let trace = self.case.trace()?;
        let at = usize::try_from(told.step).unwrap_or_default();
        let outlooks = outlooks(self.walk, &trace.nodes);
        same("outlook before the step", &"free", &outlooks[at - 1].told())?;
        same("outlook after the step", &"doomed", &outlooks[at].told())?;
        let (escapes, still_free) = instead(&self.case, self.walk, &outlooks[at - 1], trace, at - 1);
        same("escapes", &told.escapes.iter().cloned().collect(), &escapes)?;
        same("still_free", &told.still_free.iter().cloned().collect(), &still_free)
    }

    fn repair(&self, told: &crate::report::Patch) -> TestResult {
        let own = (format!("{} {}", self.report.property.kind, self.report.property.text), None);
        let mut before = verdict::wrong_elsewhere(self.report, self.properties);
        before.push(own.clone());
        repair::repair(told, self.text, &before, &own)
    }
}

/// What can become of a trace after so many of its steps: where those can be that meet the formula, and those that do not.
struct Outlook {
    meeting: Vec<At>,
    violating: Vec<At>,
    can_pass: bool,
    can_fail: bool,
}

impl Outlook {
    fn told(&self) -> &'static str {
        match (self.can_pass, self.can_fail) {
            (true, true) => "free",
            (true, false) => "safe",
            (false, true) => "doomed",
            (false, false) => "elsewhere",
        }
    }
}

fn outlooks(walk: &Walk<'_>, nodes: &[usize]) -> Vec<Outlook> {
    let both = walk.along(nodes, true).into_iter().zip(walk.along(nodes, false));
    both.map(|(meeting, violating)| outlook(walk, meeting, violating)).collect()
}

fn outlook(walk: &Walk<'_>, meeting: Vec<At>, violating: Vec<At>) -> Outlook {
    let (can_pass, can_fail) = (walk.any_goes_on(&meeting), walk.any_goes_on(&violating));
    Outlook { meeting, violating, can_pass, can_fail }
}

/// The events in place of a step after which the property is met whatever comes, and those after which it still can be.
fn instead(
    case: &Case<'_>,
    walk: &Walk<'_>,
    before: &Outlook,
    trace: &Followed,
    at: usize,
) -> (BTreeSet<String>, BTreeSet<String>) {
    let taken = (trace.events[at], trace.nodes[at + 1]);
    let (mut escapes, mut still_free) = (BTreeSet::new(), BTreeSet::new());
    for edge in &case.net.nodes[trace.nodes[at]].edges {
        let to = |places: &[At]| walk.onward(places, edge.to);
        let there = outlook(walk, to(&before.meeting), to(&before.violating));
        let name = case.net.name(edge.event).to_owned();
        match there.told() {
            "safe" => drop(escapes.insert(name)),
            "free" if (edge.event, edge.to) != taken => drop(still_free.insert(name)),
            _ => {}
        }
    }
    still_free.retain(|name| !escapes.contains(name));
    (escapes, still_free)
}

/// Goes a counterexample again: each step is possible and does what is told, and the loop closes.
fn follow(case: &Case<'_>, walk: &Walk<'_>, told: &Counterexample) -> Result<Followed, Witness> {
    let fits = |node: &usize| told.initial.is_empty() || case.words.values(*node) == told.initial;
    let start: Vec<usize> = case.net.initial.iter().copied().filter(fits).collect();
    let first = told.loop_start.map_or(Ok(None), |start| {
        let at = usize::try_from(start).ok().and_then(|start| start.checked_sub(1));
        let at = at.filter(|at| *at < told.steps.len());
        at.map(Some).ok_or_else(|| unknown(&format!("step {start}, at which the loop begins")))
    })?;
    let Some(first) = first else {
        let trace = path(case, &start, &told.steps, |_| true)?;
        return outlooks_are_told(case, walk, trace, told);
    };
    let (before, turn) = told.steps.split_at(first);
    let mut refuted = unknown("the loop at the end of the counterexample");
    for entry in layers(case, &start, before)?.last().cloned().unwrap_or_default() {
        match path(case, &[entry.0], turn, |node| node == entry.0) {
            Err(witness) => refuted = witness,
            Ok(round) => {
                let mut trace = path(case, &start, before, |node| node == entry.0)?;
                trace.nodes.extend(&round.nodes[1..]);
                trace.events.extend(&round.events);
                return outlooks_are_told(case, walk, trace, told);
            }
        }
    }
    Err(refuted)
}

/// The nodes after each of some steps.
fn layers(case: &Case<'_>, start: &[usize], steps: &[Step]) -> Result<Vec<Layer>, Witness> {
    let mut layers: Vec<Layer> = vec![start.iter().map(|node| (*node, None)).collect()];
    for step in steps {
        let next = replay::step_as_told(case, layers.last().map_or(&[], Vec::as_slice), step)?;
        layers.push(next);
    }
    Ok(layers)
}

/// A path of some steps that ends where it must.
fn path(
    case: &Case<'_>,
    start: &[usize],
    steps: &[Step],
    ends: impl Fn(usize) -> bool,
) -> Result<Followed, Witness> {
    let layers = layers(case, start, steps)?;
    let last = layers.last().map_or(&[][..], Vec::as_slice);
    let mut at =
        last.iter().position(|(node, _)| ends(*node)).ok_or(Witness::NoTrace { shows: Shows::Fails })?;
    let (mut nodes, mut events) = (Vec::new(), Vec::new());
    for layer in layers.iter().rev() {
        let (node, came) = layer[at];
        nodes.push(node);
        if let Some((before, event)) = came {
            events.push(event);
            at = before;
        }
    }
    nodes.reverse();
    events.reverse();
    Ok(Followed { nodes, events })
}

/// What can become of the trace after each step is what is told.
fn outlooks_are_told(
    case: &Case<'_>,
    walk: &Walk<'_>,
    trace: Followed,
    told: &Counterexample,
) -> Result<Followed, Witness> {
    let outlooks = outlooks(walk, &trace.nodes);
    for (step, at) in told.steps.iter().zip(0..).filter(|(step, _)| step.fate != "unknown") {
        let what = |what: &str| format!("{what} of step {}", step.n);
        same(&what("n"), &step.n, &(at as u64 + 1))?;
        same(&what("fate"), &step.fate.as_str(), &outlooks[at + 1].told())?;
        let is_point = outlooks[at].told() == "free" && outlooks[at + 1].told() == "doomed";
        same(&what("point_of_no_return"), &step.point_of_no_return, &is_point)?;
        let (escapes, still_free) = instead(case, walk, &outlooks[at], &trace, at);
        same(&what("escapes"), &step.escapes.iter().cloned().collect(), &escapes)?;
        same(&what("still_free"), &step.still_free.iter().cloned().collect(), &still_free)?;
    }
    Ok(trace)
}
