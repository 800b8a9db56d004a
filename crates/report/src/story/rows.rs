//! The rows of a story: the steps without which it cannot be told, who executes each, what it changes, and what could have
//! been done instead.

use serde::Serialize;

use crate::wording::{instead_of, shown};
use crate::{Counterexample, Step};

/// How many rows a story has at most.
const MOST_STEPS: usize = 10;
/// Traces and loops that are not longer than this are told whole.
const FEW_STEPS: u64 = 8;
/// How many changes of one step are told.
const MOST_CHANGES: usize = 3;
/// How many alternatives are named.
const MOST_ALTERNATIVES: usize = 4;

/// A step as the story tells it.
#[derive(Debug, Serialize)]
pub(crate) struct Told {
    pub(crate) n: u64,
    /// Who executes it; empty where there is only one process.
    pub(crate) who: String,
    /// What it does, and in a rendezvous what the receiver does.
    pub(crate) action: String,
    /// The values it changes.
    pub(crate) changes: Vec<String>,
    /// What is to be said of it: `point of no return`, `fails`.
    pub(crate) mark: Option<&'static str>,
    /// What could have been done instead.
    pub(crate) instead: Option<String>,
}

pub(super) fn rows(counterexample: &Counterexample) -> Vec<Told> {
    told_steps(counterexample).into_iter().map(|step| Told::of(counterexample, step)).collect()
}

impl Told {
    pub(crate) fn of(counterexample: &Counterexample, step: &Step) -> Self {
        let is_last = step.n == counterexample.length && counterexample.loop_start.is_none();
        // What the failing condition asks comes first, then what later steps of the story name.
        let asked = |name: &str| {
            let own = own_name(step, name);
            let base = own.split(['[', '.']).next().unwrap_or(own);
            let parts = counterexample.condition.iter().map(|part| &part.text);
            let later = counterexample.steps.iter().filter(|later| later.kept && later.n > step.n);
            let (mut parts, mut later) = (parts, later.map(|later| &later.action));
            match () {
                () if parts.any(|part| part == own || has_word(part, base)) => 0,
                () if later.any(|action| has_word(action, base)) => 1,
                () => 2,
            }
        };
        let mut ordered: Vec<_> = step.changes.iter().collect();
        ordered.sort_by_key(|(name, _)| asked(name));
        let changes = ordered.into_iter().filter_map(|(name, change)| match change {
            [Some(old), Some(new)] => Some(format!("{}: {old} -> {new}", own_name(step, name))),
            // That a variable begins to exist with no value of its own, or ceases to exist, says nothing.
            [None, Some(new)] if matches!(new.as_str(), "0" | "NULL" | "false") => None,
            [None, Some(new)] => Some(format!("{} = {new}", own_name(step, name))),
            [_, None] => None,
        });
        let stays = step.stays.iter().map(|(name, value)| format!("{} stays {value}", own_name(step, name)));
        let notes = changes.chain(stays).take(MOST_CHANGES);
        let changes = notes.map(|note| shown(&with_holders(counterexample, &note)));
        // Which test it is nobody decides.
        let is_decision = step.point_of_no_return && !is_choice_of_test(step);
        let mark = if is_last {
            counterexample.blocked.is_empty().then_some("fails")
        } else {
            is_decision.then_some("point of no return")
        };
        let mut action = shown(&step.action);
        if let Some(with) = &step.partner {
            let receiver = named_process(counterexample, Some(&with.process), with.pid);
            action.push_str(&shown(&format!("  ->  {receiver} {}", with.action)));
        }
        Self {
            n: step.n,
            who: shown(&named_process(counterexample, step.process.as_deref(), step.pid)),
            action,
            changes: changes.collect(),
            mark,
            instead: if is_decision { instead(counterexample, step) } else { None },
        }
    }
}

/// Whether a step only says which test the trace belongs to.
fn is_choice_of_test(step: &Step) -> bool {
    step.n == 1 && !step.inputs.is_empty() && step.action.starts_with("test ")
}

/// A change of a lock, whose holder has the name of its rows.
fn with_holders(counterexample: &Counterexample, note: &str) -> String {
    let Some((before, rest)) = note.split_once("held by thread ") else { return note.to_owned() };
    let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
    let number = rest[..end].parse().ok();
    let mut known = processes(counterexample).filter(|(_, pid)| *pid == number);
    let named = known.next().map(|(name, pid)| named_process(counterexample, Some(name), pid));
    let named = named.filter(|name| !name.is_empty()).unwrap_or_else(|| format!("thread {}", &rest[..end]));
    format!("{before}held by {named}{}", with_holders(counterexample, &rest[end..]))
}

/// Whether a word occurs in a text, and not as a part of a longer one.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|other| other == word)
}

/// A variable without its process, where that is the one that moves: the row names it already.
fn own_name<'n>(step: &Step, name: &'n str) -> &'n str {
    let (Some(process), Some(pid)) = (&step.process, step.pid) else { return name };
    let rest =
        name.strip_prefix(&format!("{process}:{pid}.")).or_else(|| name.strip_prefix(&format!("{pid}:")));
    rest.unwrap_or(name)
}

/// What could have been done in place of a step.
fn instead(counterexample: &Counterexample, step: &Step) -> Option<String> {
    // Where there is one process only, its name is left out everywhere.
    let alone = named_process(counterexample, step.process.as_deref(), step.pid).is_empty();
    let own = format!("{}:{} ", step.process.as_deref().unwrap_or_default(), step.pid.unwrap_or_default());
    let own = if alone { own.as_str() } else { "" };
    let named = |label: &String| shown(label.strip_prefix(own).unwrap_or(label));
    let event = named(&step.event);
    let quoted = |labels: &[String]| {
        let labels: Vec<String> = labels.iter().map(named).collect();
        instead_of(&event, &labels, MOST_ALTERNATIVES)
    };
    match (step.escapes.is_empty(), step.still_free.is_empty()) {
        (false, _) => Some(format!("{} instead would have avoided the failure", quoted(&step.escapes))),
        (true, false) => Some(format!("after {} instead, it could still pass", quoted(&step.still_free))),
        (true, true) => None,
    }
}

/// The steps to show: those that are kept, the loop of an endless trace, or all where there are few.
pub(crate) fn told_steps(counterexample: &Counterexample) -> Vec<&Step> {
    let Counterexample { length, loop_start, .. } = counterexample;
    let shown_loop = loop_start.filter(|first| length + 1 - first <= FEW_STEPS);
    let is_kept = |step: &&Step| {
        let is_in_loop = shown_loop.is_some_and(|first| step.n >= first);
        step.kept || step.point_of_no_return || step.n == *length || is_in_loop || *length <= FEW_STEPS
    };
    let kept: Vec<&Step> = counterexample.steps.iter().filter(is_kept).collect();
    // A condition that its process acts on at once, in the same line, is told with what it does.
    let acted_on = |at: usize| {
        let (step, next) = (kept[at], kept.get(at + 1));
        let line = |step: &Step| step.location.as_ref().map(|at| (at.file.clone(), at.line));
        let is_silent = |step: &Step| step.changes.is_empty() && step.stays.is_empty();
        let is_bare = is_silent(step) && step.inputs.is_empty() && step.partner.is_none();
        let is_followed = next.is_some_and(|next| {
            next.n == step.n + 1 && next.pid == step.pid && line(next) == line(step) && !is_silent(next)
        });
        is_bare && is_followed && line(step).is_some() && !step.point_of_no_return
    };
    let told: Vec<&Step> = (0..kept.len()).filter(|at| !acted_on(*at)).map(|at| kept[at]).collect();
    told[told.len().saturating_sub(MOST_STEPS)..].to_vec()
}

/// What a process is called: its number is told only where several have its name, its name only where there is more than
/// one process.
pub(crate) fn named_process(counterexample: &Counterexample, name: Option<&str>, pid: Option<u64>) -> String {
    let Some(name) = name else { return String::new() };
    let has_namesake = processes(counterexample).any(|(other, number)| other == name && number != pid);
    let is_alone = processes(counterexample).all(|(other, number)| other == name && number == pid);
    match (is_alone, has_namesake, pid) {
        (true, ..) => String::new(),
        (false, true, Some(pid)) => format!("{name}:{pid}"),
        _ => name.to_owned(),
    }
}

/// All processes that move, take part or are blocked, as often as they do.
pub(super) fn processes(counterexample: &Counterexample) -> impl Iterator<Item = (&str, Option<u64>)> {
    let partners = counterexample.steps.iter().filter_map(|step| step.partner.as_ref());
    let own = counterexample.steps.iter().filter_map(|step| Some((step.process.as_deref()?, step.pid)));
    let blocked = counterexample.blocked.iter();
    own.chain(partners.map(|with| (&*with.process, with.pid)))
        .chain(blocked.filter_map(|blocked| Some((blocked.process.as_deref()?, blocked.pid))))
}
