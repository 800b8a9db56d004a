//! A known pattern of bugs: the cast, and how far the whole system agrees.
//!
//! Whatever the pattern is, its cast are moments (a step of the counterexample, who takes it, what it says and where) and
//! standstills (a statement that a process stands before at the end and cannot execute). Each is held against the
//! counterexample. In a window one process looks at a variable, another one changes it, and the first one relies on it.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::Value;

use crate::case::{Case, Tested, same, unknown};
use crate::changed::{Changed, Seen};
use crate::coverage;
use crate::net::Edge;
use crate::replay::place;
use crate::report::ReportedPlace;
use crate::shapes::shape;

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Pattern {
    pattern: Value,
    pub(crate) coverage: Option<Coverage>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
pub(crate) struct Coverage {
    pub(crate) violating: u64,
    pub(crate) need: u64,
    pub(crate) passes: bool,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Role {
    pub(crate) name: String,
    pub(crate) pid: u64,
}

#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Moment {
    pub(crate) who: Role,
    pub(crate) step: u64,
    pub(crate) action: String,
    location: Option<ReportedPlace>,
}

#[derive(Clone, Debug, Deserialize)]
struct Standstill {
    who: Role,
    action: String,
    location: Option<ReportedPlace>,
}

#[derive(Clone, Debug, Deserialize)]
struct Window {
    variable: String,
    before: Option<String>,
    after: Option<String>,
    look: Moment,
    foreign: Moment,
    reliance: Moment,
}

pub(crate) fn cast(case: &Case<'_>, told: &Pattern) -> Tested {
    if let Some(starved) = told.pattern.get("starvation") {
        return starvation(case, starved);
    }
    everybody(case, &told.pattern)?;
    shape(case, &told.pattern)?;
    match window_of(&told.pattern) {
        Some(window) => is_window(case, &window, told.pattern.get("if-for-while").is_some()),
        None => Ok(()),
    }
}

/// Others take the steps that are told, and whoever is passed over could move in the state before a step, and takes none
/// of those.
fn starvation(case: &Case<'_>, told: &Value) -> Tested {
    everybody(case, told.get("others").unwrap_or(&Value::Null))?;
    let moment = |part: &Value| serde_json::from_value::<Moment>(part.clone()).ok();
    let others = told.get("others").and_then(Value::as_array).into_iter().flatten();
    let others: Vec<Moment> = others.filter_map(moment).collect();
    let Some(could) = told.get("could").and_then(moment) else { return Ok(()) };
    let trace = case.trace()?;
    let at = usize::try_from(could.step).ok().and_then(|step| trace.nodes.get(step.checked_sub(1)?));
    let node = *at.ok_or_else(|| unknown(&format!("step {}", could.step)))?;
    let is_it = |event: usize| {
        let told = case.words.told(case.net, event);
        told.is_some_and(|told| {
            u64::from(told.deed.actor.number) == could.who.pid
                && told.deed.actor.name == could.who.name
                && Statement::of(&could).is(case, event)
        })
    };
    let can = case.net.nodes[node].edges.iter().any(|edge| is_it(edge.event));
    same("whether it could move", &true, &can)?;
    let moves = others.iter().any(|other| other.who.pid == could.who.pid);
    same("whether it moves in the loop", &false, &moves)
}

/// Tests all moments and standstills, however deep they lie.
fn everybody(case: &Case<'_>, part: &Value) -> Tested {
    if let Ok(moment) = serde_json::from_value::<Moment>(part.clone()) {
        return is_moment(case, &moment);
    }
    if let Ok(standstill) = serde_json::from_value::<Standstill>(part.clone()) {
        return is_standstill(case, &standstill);
    }
    match part {
        Value::Array(parts) => parts.iter().try_for_each(|part| everybody(case, part)),
        Value::Object(parts) => parts.values().try_for_each(|part| everybody(case, part)),
        _ => Ok(()),
    }
}

fn is_moment(case: &Case<'_>, told: &Moment) -> Tested {
    let trace = case.trace()?;
    let at = usize::try_from(told.step).ok().and_then(|step| trace.events.get(step.checked_sub(1)?));
    let event = *at.ok_or_else(|| unknown(&format!("step {}", told.step)))?;
    let found = case.words.told(case.net, event).ok_or_else(|| unknown("processes"))?;
    let what = |what: &str| format!("{what} of step {}", told.step);
    let deeds: Vec<graph::Deed> = std::iter::once(found.deed).chain(found.partner).collect();
    let mine = deeds.iter().find(|deed| u64::from(deed.actor.number) == told.who.pid);
    let deed = mine.ok_or_else(|| unknown(&format!("process {} in step {}", told.who.pid, told.step)))?;
    same(&what("process"), &told.who.name, &deed.actor.name)?;
    same(&what("action"), &told.action, &deed.action)?;
    same(&what("location"), &told.location, &deed.location.clone().map(place))
}

fn is_standstill(case: &Case<'_>, told: &Standstill) -> Tested {
    let trace = case.trace()?;
    let end = trace.nodes.last().copied().unwrap_or_default();
    let waiting = case.words.waiting(end);
    let who = waiting.iter().find(|waiting| u64::from(waiting.actor.number) == told.who.pid);
    let who = who.ok_or_else(|| unknown(&format!("process {} at the end", told.who.pid)))?;
    same("process that waits", &told.who.name, &who.actor.name)?;
    let stands = who
        .needs
        .iter()
        .any(|need| need.action == told.action && need.location.clone().map(place) == told.location);
    if stands { Ok(()) } else { Err(unknown(&format!("{} before `{}`", told.who.name, told.action))) }
}

fn window_of(pattern: &Value) -> Option<Window> {
    let inner = pattern.as_object()?.values().next()?;
    let read = |value: &Value| serde_json::from_value::<Window>(value.clone()).ok();
    read(inner).or_else(|| read(inner.get("window")?))
}

/// `is_re_test` is whether what is looked at is the condition that a woken process should test again.
fn is_window(case: &Case<'_>, told: &Window, is_re_test: bool) -> Tested {
    let trace = case.trace()?;
    let [look, foreign, reliance] = [told.look.step, told.foreign.step, told.reliance.step];
    same("order of the steps", &true, &(look < foreign && foreign < reliance))?;
    same("who relies", &told.look.who.pid, &told.reliance.who.pid)?;
    same("whether another process comes between", &true, &(told.foreign.who.pid != told.look.who.pid))?;
    let node = |step: u64| trace.nodes[usize::try_from(step).unwrap_or_default() - 1];
    let value = |step: u64| case.words.values(node(step)).remove(&told.variable);
    same("value before the other process changes it", &told.before, &value(foreign))?;
    same("value before the reliance", &told.after, &value(reliance))?;
    let event = trace.events[usize::try_from(look).unwrap_or_default() - 1];
    // Where the first part of a condition decides, the others are not read there, but by others who test the same.
    let is_test = Statement { action: String::new(), at: told.look.location.clone() };
    let reads = |node: usize, event: usize| {
        let reads = case.words.footprint(case.net, node, event).unwrap_or_default().reads;
        reads.contains(&told.variable)
    };
    let at_place = || {
        let mut all =
            case.live.keys().flat_map(|node| case.net.nodes[*node].edges.iter().map(|edge| (*node, edge)));
        all.any(|(node, edge)| is_test.is_at(case, edge.event) && reads(node, edge.event))
    };
    same("whether the look reads it", &true, &(reads(node(look), event) || is_re_test && at_place()))?;
    let at = usize::try_from(foreign).unwrap_or_default();
    let changes = case.words.changes(trace.nodes[at - 1], trace.nodes[at]);
    same("whether the other process changes it", &true, &changes.contains_key(&told.variable))
}

/// Which process is in a window: on which variable, and whether somebody else has changed it.
type Windows = BTreeMap<u8, (String, bool)>;

/// How many violating states no trace reaches without the pattern; nothing where there is no test, or not of everything.
pub(crate) fn coverage(case: &Case<'_>, told: &Pattern) -> Option<Tested> {
    let name = told.pattern.as_object()?.keys().next()?.as_str();
    let coverage = told.coverage?;
    if !matches!(name, "lost-update" | "check-then-act" | "missed-signal" | "update-then-test") {
        return coverage::coverage(case, name, told.pattern.get(name)?, coverage);
    }
    let window = window_of(&told.pattern)?;
    let statements = |all: &str, one: &Moment| -> Vec<Statement> {
        let listed = told.pattern.get(name).and_then(|cast| cast.get(all)).cloned();
        let listed = listed.and_then(|listed| serde_json::from_value::<Vec<Moment>>(listed).ok());
        let listed = listed.unwrap_or_default();
        listed.iter().chain([one]).map(Statement::of).collect()
    };
    let (looks, relies) = (statements("updates", &window.look), statements("tests", &window.reliance));
    let family = family_of(&window.variable);
    let is_of = |wanted: &[Statement], event: usize| wanted.iter().any(|one| one.is(case, event));
    let matters = |names: &[String]| -> Vec<String> {
        names.iter().filter(|name| family_of(name) == family).cloned().collect()
    };
    let see = |windows: &Windows, from: usize, edge: Edge| {
        let Some(actor) = case.net.events[edge.event].actors.first().copied() else {
            return Seen::On(windows.clone());
        };
        let touched = case.words.footprint(case.net, from, edge.event).unwrap_or_default();
        let reads = matters(&touched.reads);
        let mut writes = matters(&touched.writes);
        writes.extend(matters(&case.words.changes(from, edge.to).into_keys().collect::<Vec<_>>()));
        let passages = touched.sends.iter().chain(&touched.receives);
        writes.extend(matters(&passages.map(|passage| passage.channel.clone()).collect::<Vec<_>>()));
        if is_of(&relies, edge.event) && windows.get(&actor).is_some_and(|(_, is_changed)| *is_changed) {
            return Seen::Blocked;
        }
        let mut next = windows.clone();
        for (process, (variable, is_changed)) in &mut next {
            *is_changed |= *process != actor && writes.contains(variable);
        }
        if is_of(&looks, edge.event) && !reads.is_empty() {
            next.insert(actor, (reads[0].clone(), false));
        } else if windows
            .get(&actor)
            .is_some_and(|(variable, _)| is_of(&relies, edge.event) || reads.contains(variable))
        {
            next.remove(&actor);
        }
        Seen::On(next)
    };
    let changed = Changed::new(case.net, Windows::new(), see, |_| false);
    let violating = violating(case.net, |node| node);
    let left = violating_in(&changed);
    Some((|| {
        same("violating", &coverage.violating, &violating)?;
        same("need", &coverage.need, &violating.saturating_sub(left))?;
        same("passes", &coverage.passes, &changed.passes(case.is_fair))
    })())
}

/// A statement, whoever executes it.
pub(crate) struct Statement {
    action: String,
    at: Option<ReportedPlace>,
}

impl Statement {
    pub(crate) fn of(moment: &Moment) -> Self {
        Self { action: moment.action.clone(), at: moment.location.clone() }
    }

    /// Whether an event is at its place, whatever comes of it there.
    fn is_at(&self, case: &Case<'_>, event: usize) -> bool {
        let told = case.words.told(case.net, event);
        self.at.is_some() && told.is_some_and(|told| told.deed.location.map(place) == self.at)
    }

    /// Whether an event executes it. What is used in several places is known by its own place.
    pub(crate) fn is(&self, case: &Case<'_>, event: usize) -> bool {
        let told = case.words.told(case.net, event);
        told.is_some_and(|told| {
            let is_used = told.deed.location.as_ref().is_some_and(|at| !at.calls.is_empty());
            told.deed.location.map(place) == self.at && (is_used || told.deed.action == self.action)
        })
    }
}

/// How many violating states there are; where wrong steps lead to one end, the states before them are counted.
pub(crate) fn violating(net: &crate::net::Net, of: impl Fn(usize) -> usize) -> u64 {
    let live = net.live();
    let mut found = std::collections::BTreeSet::new();
    for node in live.keys().filter(|node| !net.is_violating(**node)) {
        for edge in net.nodes[*node].edges.iter().filter(|edge| net.is_target(edge.to)) {
            // A state in which nothing moves is itself violating; what stands for a wrong step has nothing before it.
            let is_end = net.nodes[edge.to].ends_wrong_steps;
            found.insert(if is_end { (true, of(*node)) } else { (false, of(edge.to)) });
        }
    }
    found.len() as u64
}

pub(crate) fn violating_in(changed: &Changed) -> u64 {
    violating(&changed.net, |node| changed.of[node])
}

/// What a variable is: the names on the way to it, each with how many indices it has. Variables that differ in which
/// element or which object on the heap they are have the same.
type Family = Vec<(String, usize)>;

fn family_of(name: &str) -> Family {
    let mut parts = Family::new();
    let mut rest = name;
    while !rest.is_empty() {
        let end = rest.find(['.', '[']).unwrap_or(rest.len());
        let (word, mut behind) = rest.split_at(end);
        let mut indices = 0;
        while let Some(after) = behind_index(behind) {
            behind = after;
            indices += 1;
        }
        parts.push((if parts.is_empty() { of_object(word) } else { word }.to_owned(), indices));
        rest = behind.strip_prefix('.').unwrap_or(behind);
    }
    parts
}

/// What follows an index in brackets; nothing where there is none.
fn behind_index(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('[')?;
    let mut open = 1_usize;
    for (at, c) in inside.char_indices() {
        match c {
            '[' => open += 1,
            ']' => open -= 1,
            _ => {}
        }
        if open == 0 {
            return Some(&inside[at + 1..]);
        }
    }
    Some("")
}

/// The name of an object on the heap without its number.
fn of_object(word: &str) -> &str {
    let is_number = |rest: &str| rest.chars().all(|c| c.is_ascii_digit());
    let mut kinds = ["heap", "object"].into_iter();
    kinds.find(|kind| word.strip_prefix(kind).is_some_and(is_number)).unwrap_or(word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_of_one_family_differ_by_element_or_object_only() {
        let same = |one: &str, other: &str| family_of(one) == family_of(other);
        assert!(same("account[2].locked", "account[0].locked"));
        assert!(same("a[b[1]].c[0]", "a[7].c[k]"));
        assert!(same("heap12.lock", "heap3.lock"));
        assert!(!same("a[1]", "a") && !same("a[1]", "a[1][2]") && !same("x1", "x2"));
        assert!(!same("heaps1.lock", "heaps2.lock"));
    }
}
