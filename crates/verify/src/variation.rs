//! What failing variations of the counterexample do and passing ones do not.
//!
//! A variation fails if it ends with the step of the counterexample and that fails, and passes if that step is taken
//! unharmed. Steps are the same if the same process takes them at the same place of the text; where a process has a choice
//! at a place, what is chosen counts as well. Which statement of a place a claim names is tried with all of its steps.
//!
//! Of variations near the counterexample the report lists its traces, and each is gone again. Of all variations the net
//! is asked: a trace that passes for good, so that no failing variation goes on from there, must not take the step.

use std::collections::{BTreeMap, BTreeSet};

use findings::{Beyond, Shows, TestResult, Witness};
use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, Tested, result, same, unknown};
use crate::says::Says;

#[derive(Clone, Debug, Deserialize)]
struct Choice {
    statement: String,
    given: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
struct Separates {
    step: Choice,
    failing: u64,
    passing: u64,
}

#[derive(Clone, Debug, Deserialize)]
struct OnlyFailing {
    step: Choice,
    traces: Compared,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Compared {
    Reaching(String),
    Near,
}

/// The traces that a report lists, and how many it compared.
#[derive(Clone, Debug, Deserialize)]
struct Listed {
    negatives: u64,
    positives: u64,
    traces: Vec<Variation>,
}

#[derive(Clone, Debug, Deserialize)]
struct Variation {
    kind: String,
    events: Vec<String>,
}

pub(crate) fn claim(case: &Case<'_>, says: &Says, listed: Option<&Value>) -> TestResult {
    let malformed =
        |error: serde_json::Error| TestResult::Refuted(unknown(&format!("a claim `{}`: {error}", says.kind)));
    let listed = listed.and_then(|listed| Listed::deserialize(listed).ok());
    if says.kind == "separates-variations" {
        return match says.read::<Separates>() {
            Err(error) => malformed(error),
            Ok(told) => near(case, &told.step, listed, Some(&told)),
        };
    }
    match says.read::<OnlyFailing>() {
        Err(error) => malformed(error),
        Ok(OnlyFailing { step, traces: Compared::Near }) => near(case, &step, listed, None),
        Ok(OnlyFailing { step, traces: Compared::Reaching(last) }) => result(all(case, &step, &last)),
    }
}

/// The traces that a report lists as variations; nothing where it lists none.
pub(crate) fn listed(case: &Case<'_>, told: &Value) -> Option<Tested> {
    let listed = Listed::deserialize(told).ok().filter(|listed| !listed.traces.is_empty())?;
    let kinds = |kind: &str| listed.traces.iter().filter(|one| one.kind == kind).count() as u64;
    let fits = kinds("negative") <= listed.negatives && kinds("positive") <= listed.positives;
    Some(same("whether all that is listed is counted", &true, &fits).and_then(|()| {
        listed.traces.iter().try_for_each(|one| goes(case, one, one.kind == "negative").map(|_| ()))
    }))
}

/// What tells steps apart: the place, who is there, and what is chosen.
type Key = (String, Option<u64>, Option<String>);

/// The ways in which a step can be told apart from others: with what is chosen, and without.
fn keys(case: &Case<'_>, event: usize) -> Vec<Key> {
    let (Some(told), Some(chosen)) = (case.words.told(case.net, event), case.words.chosen(case.net, event))
    else {
        return vec![(case.net.name(event).to_owned(), None, None)];
    };
    let partner = told.partner.map(|partner| partner.actor.to_string()).unwrap_or_default();
    let who = format!("{} {partner}", told.deed.actor);
    let what = format!("{} {:?}", chosen.statement, chosen.given);
    vec![(who.clone(), Some(chosen.place), None), (who, Some(chosen.place), Some(what))]
}

/// The events of each kind of step that a claim may mean by a statement.
fn meant(case: &Case<'_>, step: &Choice) -> Vec<BTreeSet<usize>> {
    let mut of_key: BTreeMap<Key, BTreeSet<usize>> = BTreeMap::new();
    for event in 0..case.net.events.len() {
        for key in keys(case, event) {
            of_key.entry(key).or_default().insert(event);
        }
    }
    let is_named = |event: &usize| match case.words.chosen(case.net, *event) {
        None => step.statement == case.net.name(*event) || starts_as(case.net.name(*event), &step.statement),
        Some(chosen) => {
            let partner = case.words.told(case.net, *event).and_then(|told| told.partner);
            let statement = match partner {
                Some(partner) => format!("{} -> {}", chosen.statement, partner.action),
                None => chosen.statement,
            };
            statement == step.statement && (step.given.is_none() || chosen.given == step.given)
        }
    };
    of_key.into_values().filter(|events| events.iter().any(is_named)).collect()
}

/// Whether a label is told with the place from which its step starts.
fn starts_as(name: &str, told: &str) -> bool {
    told.strip_prefix(name).is_some_and(|rest| rest.starts_with(" (at "))
}

/// Of the variations near the counterexample, which the report lists.
fn near(case: &Case<'_>, step: &Choice, listed: Option<Listed>, separates: Option<&Separates>) -> TestResult {
    if meant(case, step).is_empty() {
        return TestResult::Refuted(unknown(&format!("a step `{}`", step.statement)));
    }
    let Some(listed) = listed else { return TestResult::TooLarge(Beyond::PartialReport) };
    let of =
        |kind: &str| -> Vec<&Variation> { listed.traces.iter().filter(|one| one.kind == kind).collect() };
    let (failing, passing) = (of("negative"), of("positive"));
    if failing.len() as u64 != listed.negatives || passing.len() as u64 != listed.positives {
        return TestResult::TooLarge(Beyond::PartialReport);
    }
    result((|| {
        let gone = |all: &[&Variation], fails: bool| -> Result<Vec<Gone>, Witness> {
            all.iter().map(|one| goes(case, one, fails)).collect()
        };
        let (failing, passing) = (gone(&failing, true)?, gone(&passing, false)?);
        if let Some(told) = separates {
            same("failing variations", &told.failing, &listed.negatives)?;
            // Some that do not fail like the counterexample can only go on to another violation.
            let can_pass = passing.iter().filter(|one| one.can_pass).count() as u64;
            same("passing variations", &told.passing, &can_pass)?;
        }
        let is_so = |meant: &BTreeSet<usize>| {
            let takes = |trace: &Gone| !trace.taken.is_disjoint(meant);
            let fits = match separates {
                Some(_) => failing.iter().all(takes),
                None => failing.iter().any(takes),
            };
            fits && !passing.iter().any(takes)
        };
        if meant(case, step).iter().any(is_so) {
            return Ok(());
        }
        Err(unknown(&format!("a step `{}` that only failing variations take", step.statement)))
    })())
}

/// What a variation does: its events, and whether a trace can pass where it ends.
struct Gone {
    taken: BTreeSet<usize>,
    can_pass: bool,
}

/// What a variation does, if it is a trace that ends as it is said to.
fn goes(case: &Case<'_>, told: &Variation, fails: bool) -> Result<Gone, Witness> {
    let mut now: BTreeSet<usize> = case.net.initial.iter().copied().collect();
    let mut taken = BTreeSet::new();
    for (name, step) in told.events.iter().zip(1..) {
        let impossible = || Witness::Impossible { step, event: name.clone() };
        let event = case.net.event_named(name).ok_or_else(impossible)?;
        let going = now.iter().filter(|node| !case.net.is_violating(**node));
        let edges = going.flat_map(|node| &case.net.nodes[*node].edges);
        now = edges.filter(|edge| edge.event == event).map(|edge| edge.to).collect();
        if now.is_empty() {
            return Err(impossible());
        }
        taken.insert(event);
    }
    let ends = |node: &usize| if fails { case.net.is_target(*node) } else { !case.net.is_violating(*node) };
    match now.iter().any(ends) {
        true => Ok(Gone { taken, can_pass: now.iter().any(|node| case.fates.can_pass[*node]) }),
        false => Err(Witness::NoTrace { shows: if fails { Shows::Fails } else { Shows::Passes } }),
    }
}

/// Of all traces that come to the step with which the counterexample ends.
fn all(case: &Case<'_>, step: &Choice, last: &str) -> Tested {
    let last = case.net.event_named(last).ok_or_else(|| unknown(last))?;
    let ends: Vec<BTreeSet<usize>> = {
        let own = keys(case, last);
        let same_key = |event: &usize, key: &Key| keys(case, *event).contains(key);
        let of = |key: &Key| (0..case.net.events.len()).filter(|event| same_key(event, key)).collect();
        own.iter().map(of).collect()
    };
    let mut refuted = unknown(&format!("a step `{}`", step.statement));
    for last in &ends {
        for meant in meant(case, step) {
            match only_failing(case, &meant, last) {
                Ok(()) => return Ok(()),
                Err(witness) => refuted = witness,
            }
        }
    }
    Err(refuted)
}

fn only_failing(case: &Case<'_>, meant: &BTreeSet<usize>, last: &BTreeSet<usize>) -> Tested {
    let net = case.net;
    let comes = |is_end: &dyn Fn(usize) -> bool| -> Vec<usize> {
        let ends = |node: &usize| {
            let mut edges = net.nodes[*node].edges.iter();
            !net.is_violating(*node) && edges.any(|edge| last.contains(&edge.event) && is_end(edge.to))
        };
        case.live.keys().copied().filter(ends).collect()
    };
    let fails = |to: usize| net.is_target(to);
    let to_negative = crate::fates::leading_to(net, comes(&fails));
    let passes = |to: usize| net.nodes[to].is_outside || !net.is_violating(to) && !to_negative[to];
    match (takes(case, meant, last, &fails), takes(case, meant, last, &passes)) {
        (None, _) => Err(Witness::NoTrace { shows: Shows::Fails }),
        (_, Some((node, event))) => Err(case.witness_at(node, Shows::Passes, &[event])),
        (Some(_), None) => Ok(()),
    }
}

/// A last step of some kind at the end of a trace that took a step that is meant.
fn takes(
    case: &Case<'_>,
    meant: &BTreeSet<usize>,
    last: &BTreeSet<usize>,
    is_end: &dyn Fn(usize) -> bool,
) -> Option<(usize, usize)> {
    let mut seen: BTreeSet<(usize, bool)> = BTreeSet::new();
    let mut waiting: Vec<(usize, bool)> = case.net.initial.iter().map(|node| (*node, false)).collect();
    while let Some((node, has_taken)) = waiting.pop() {
        if case.net.is_violating(node) || !seen.insert((node, has_taken)) {
            continue;
        }
        for edge in &case.net.nodes[node].edges {
            let takes = has_taken || meant.contains(&edge.event);
            if takes && last.contains(&edge.event) && is_end(edge.to) {
                return Some((node, edge.event));
            }
            waiting.push((edge.to, takes));
        }
    }
    None
}
