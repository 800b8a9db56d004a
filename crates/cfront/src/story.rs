//! The [`Story`] of a C program.

mod arithmetic;
mod condition;
mod footprint;
mod names;
mod output;
mod pointers;
mod synchronisation;
mod threads;
mod values;

use std::collections::BTreeMap;

use graph::{
    Actor, Actors, Change, Chosen, ConditionPart, Deed, FaultKind, Footprint, Loss, Need, Obstacle, Outline,
    Sort, Story, Synchronisation, System, Told, ViolationKind, Waiting, Wrong,
};
use model::{Fault, Outcome, StatementKind};

use crate::machine::{
    ASSERTION, CWorker, ERROR, Given, Label, Scene, Wait, frames, given_in, label_of, thread_of, threads,
};
use crate::model::Model;
use names::distinct;
use threads::ThreadNames;

/// The function that gives a place in a program a name.
const POINT: &str = "__WHEREFORE_point";

/// Tells about a program.
#[derive(Debug)]
pub struct Narrator<'m> {
    model: &'m Model,
    /// The inputs of the run that is told, if they are not the model's own.
    inputs: Option<Vec<i64>>,
    /// What each label says: the statement, and which way it went.
    texts: Vec<(String, String)>,
    /// The same, with what tells it from all others.
    names: Vec<String>,
    threads: ThreadNames,
}

impl<'m> Narrator<'m> {
    pub fn new(model: &'m Model) -> Self {
        let labels = &model.machine.labels;
        let texts: Vec<(String, String)> = labels.iter().map(|label| written(model, label)).collect();
        let whole: Vec<String> = texts.iter().map(|(text, outcome)| format!("{text}{outcome}")).collect();
        let names = distinct(model, &whole);
        Self { model, inputs: None, texts, names, threads: ThreadNames::new(model.program()) }
    }

    /// Tells about a run with these inputs.
    pub fn fed(self, inputs: Vec<i64>) -> Self {
        Self { inputs: Some(inputs), ..self }
    }

    fn worker(&self) -> CWorker<'_> {
        match &self.inputs {
            None => self.model.worker(),
            Some(inputs) => self.model.machine.worker_with(Some(inputs)),
        }
    }

    fn deed(&self, thread: u8, label: usize, given: Given) -> Deed {
        let (text, outcome) = &self.texts[label];
        let action = format!("{text}{}{outcome}", self.gave(label, given));
        let statement = self.model.machine.labels[label].statement;
        let span = self.model.program().statements[statement as usize].span;
        Deed { actor: self.actor(thread, label), action, location: self.model.location(span) }
    }

    /// What a step took from outside.
    fn gave(&self, label: usize, given: Given) -> String {
        match self.test_chosen(self.model.machine.labels[label].statement, given) {
            Some(name) => format!(" {name}"),
            None => gave(given),
        }
    }

    /// The thread that executes something.
    fn actor(&self, thread: u8, label: usize) -> Actor {
        let statement = self.model.machine.labels[label].statement;
        let function = self.model.program().statements[statement as usize].function.0 as usize;
        self.named(thread, function)
    }

    /// A thread that is in a function.
    fn named(&self, thread: u8, function: usize) -> Actor {
        let name = if thread == 0 { "main" } else { self.threads.name(thread, function) };
        Actor { name: name.to_owned(), number: thread }
    }

    /// A thread, by what it was started with.
    fn started(&self, state: &[u8], thread: u8) -> Actor {
        let mut scene = Scene::default();
        scene.find(&self.model.machine, state);
        let calls = frames(&self.model.machine, state, &scene);
        let first = calls.get(usize::from(thread)).and_then(|calls| calls.first());
        self.named(thread, first.map_or(usize::MAX, |(function, _)| *function))
    }
}

/// The inputs that a step took.
fn gave(given: Given) -> String {
    match given {
        Given::Nothing | Given::Others => String::new(),
        Given::One(one) => format!(" gave {one}"),
        Given::Two(one, two) => format!(" gave {one} and {two}"),
    }
}

/// A statement as it stands in the user's file, on one line, and which way it went.
fn written(model: &Model, label: &Label) -> (String, String) {
    const MOST: usize = 60;
    let statement = &model.program().statements[label.statement as usize];
    let mut text = statement.text.clone();
    if text.chars().count() > MOST {
        text = text.chars().take(MOST - 4).collect::<String>() + " ...";
    }
    let outcome = match &label.outcome {
        None => String::new(),
        Some(Outcome::True) => ": true".to_owned(),
        Some(Outcome::False) => ": false".to_owned(),
        Some(Outcome::Case(case)) => format!(": {case}"),
    };
    (text, outcome)
}

impl Story for Narrator<'_> {
    fn actors(&self, event: u64) -> Actors {
        Actors::new(thread_of(event), None)
    }

    fn event(&self, event: u64) -> Told {
        let deed = self.deed(thread_of(event), label_of(event), given_in(event));
        Told { deed, partner: None }
    }

    fn function(&self, event: u64) -> Option<&str> {
        let statement = self.model.machine.labels[label_of(event)].statement;
        let function = self.model.program().statements[statement as usize].function;
        Some(&self.model.program().functions[function.0 as usize].name)
    }

    fn steers(&self, event: u64) -> bool {
        let label = &self.model.machine.labels[label_of(event)];
        let kind = self.model.program().statements[label.statement as usize].kind;
        label.outcome.is_some() || kind == StatementKind::Jump
    }

    fn chosen(&self, event: u64) -> Chosen {
        let label = label_of(event);
        let given = self.gave(label, given_in(event));
        Chosen {
            place: self.model.machine.labels[label].statement.into(),
            statement: self.texts[label].0.clone(),
            given: Some(given.trim_start_matches(" gave ").trim_start().to_owned())
                .filter(|given| !given.is_empty()),
        }
    }

    fn point(&self, event: u64) -> Option<String> {
        let statement = self.model.machine.labels[label_of(event)].statement;
        let text = &self.model.program().statements[statement as usize].text;
        let named = text.strip_prefix(POINT)?.trim_start().strip_prefix('(')?;
        Some(named.split('"').nth(1)?.to_owned())
    }

    fn label(&self, event: u64) -> String {
        let actor = self.actor(thread_of(event), label_of(event));
        let label = label_of(event);
        format!("{actor} {}{}", self.names[label], self.gave(label, given_in(event)))
    }

    fn wrong(&self, event: u64, what: u32) -> Wrong {
        let label = &self.model.machine.labels[label_of(event)];
        let statement = &self.model.program().statements[label.statement as usize];
        let location = self.model.location(statement.span);
        let text = &statement.text;
        if let Some(text) = self.wrong_output(label.statement, what) {
            let (kind, text) = (ViolationKind::Assertion, text.to_owned());
            return Wrong { kind, text, location, can_hold: true, sort: Sort::Output };
        }
        match what {
            ASSERTION => Wrong {
                kind: ViolationKind::Assertion,
                text: format!("`{text}` fails"),
                location,
                can_hold: text != "assert(0)" && text != "assert(false)",
                sort: Sort::Other,
            },
            ERROR => Wrong {
                kind: ViolationKind::Assertion,
                text: format!("`{text}` is reached"),
                location,
                can_hold: false,
                sort: Sort::ErrorCall,
            },
            _ => {
                let fault = Fault::kind_name(what).unwrap_or("fault");
                let text = format!("{fault} in `{text}`");
                Wrong { kind: ViolationKind::Fault, text, location, can_hold: true, sort: sort_of(what) }
            }
        }
    }

    fn detail(&self, state: &[u8], event: u64) -> Option<String> {
        let statement = self.model.machine.labels[label_of(event)].statement;
        if self.model.checks_output(statement) {
            return self.told_output(state, statement);
        }
        let mut worker = self.worker();
        match worker.fault(state, event) {
            Some(fault @ (Fault::Index { .. } | Fault::Outside { .. } | Fault::TooLarge(_))) => {
                let of_test =
                    self.test_named(state).map_or_else(String::new, |name| format!(", in test {name}"));
                Some(format!("{fault}{of_test}"))
            }
            Some(_) => self.test_named(state).map(|name| format!("in test {name}")),
            None => {
                let (rival, label) = worker.rival(state, thread_of(event).into())?;
                let deed = self.deed(rival, label as usize, Given::Nothing);
                let place = deed.location.map_or_else(String::new, |at| format!(" in line {}", at.line));
                Some(format!("at the same time as {}{place}, `{}`", deed.actor, deed.action))
            }
        }
    }

    fn fault(&self, state: &[u8], event: u64) -> Option<FaultKind> {
        match self.worker().fault(state, event)? {
            Fault::DivisionByZero => Some(FaultKind::DivisionByZero),
            Fault::NullPointer => Some(FaultKind::NullPointer),
            Fault::Dangling => Some(FaultKind::Dangling),
            Fault::DoubleFree => Some(FaultKind::DoubleFree),
            Fault::SignedOverflow => Some(FaultKind::SignedOverflow),
            Fault::Unwritten => Some(FaultKind::Uninitialised),
            Fault::Index { .. } | Fault::Outside { .. } => Some(FaultKind::BadIndex),
            _ => None,
        }
    }

    fn at_bound(&self, state: &[u8], event: u64) -> Option<i64> {
        arithmetic::at_bound(&mut self.worker(), state, event)
    }

    fn losses(&self, state: &[u8], event: u64) -> Vec<Loss> {
        arithmetic::losses(&mut self.worker(), state, event)
    }

    fn condition(&self, state: &[u8], event: u64) -> Vec<ConditionPart> {
        let statement = self.model.machine.labels[label_of(event)].statement;
        if self.model.checks_output(statement) {
            return Vec::new();
        }
        let text = &self.model.program().statements[statement as usize].text;
        condition::of_step(self.model, &mut self.worker(), text, state, event)
    }

    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        let variables = values::variables(self.model, state);
        variables.into_iter().map(|variable| (variable.name, variable.value)).collect()
    }

    fn outline(&self, state: &[u8]) -> Outline {
        values::outline(self.model, state)
    }

    fn changes(&self, from: &[u8], to: &[u8]) -> Vec<Change> {
        let (old, new) = (self.values(from), self.values(to));
        let before: BTreeMap<&str, &str> =
            old.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let after: BTreeMap<&str, &str> =
            new.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let gone = old.iter().filter(|(name, _)| !after.contains_key(name.as_str()));
        let gone =
            gone.map(|(name, value)| Change { name: name.clone(), old: Some(value.clone()), new: None });
        let changed = new.iter().filter(|(name, value)| before.get(name.as_str()) != Some(&value.as_str()));
        let changed = changed.map(|(name, value)| Change {
            name: name.clone(),
            old: before.get(name.as_str()).map(|value| (*value).to_owned()),
            new: Some(value.clone()),
        });
        without_renamed(gone.chain(changed).collect())
    }

    fn inputs(&self, from: &[u8], to: Option<&[u8]>, event: u64) -> Vec<i64> {
        match given_in(event) {
            Given::Nothing => Vec::new(),
            Given::One(one) => vec![one],
            Given::Two(one, two) => vec![one, two],
            Given::Others => self.worker().given(from, to, event),
        }
    }

    fn standing(&self, state: &[u8]) -> Vec<(Actor, u64)> {
        let labels = self.worker().standing(state);
        let told = (0..).zip(labels).filter_map(|(thread, label)| {
            let label = label? as usize;
            let statement = self.model.machine.labels[label].statement;
            let span = self.model.program().statements[statement as usize].span;
            Some((self.actor(thread, label), self.model.location(span)?.line))
        });
        told.collect()
    }

    fn waiting(&self, state: &[u8]) -> Vec<Waiting> {
        let mut worker = self.worker();
        let objects = values::Named::new(self.model, state);
        let named = |pointer: i64| format!("`{}`", objects.spell(pointer));
        let mut told = Vec::new();
        for thread in 0..threads(state) {
            let Some((wait, label)) = worker.waits_for(state, usize::from(thread)) else { continue };
            let deed = self.deed(thread, label as usize, Given::Nothing);
            let reason = match wait {
                Wait::Lock(lock, owner) if owner == thread => format!("it holds {} itself", named(lock)),
                Wait::Lock(lock, owner) => format!("{} holds {}", self.started(state, owner), named(lock)),
                Wait::Shared(lock) => format!("others read or write under {}", named(lock)),
                Wait::Signal(signal) => {
                    format!("no signal of {} has woken it", named(signal))
                }
                Wait::Thread(other) => format!("{} has not ended", self.started(state, other)),
                Wait::Counter(semaphore) => format!("{} is 0", named(semaphore)),
                Wait::Once(mark) => format!("what is done once for {} is not finished", named(mark)),
                Wait::Barrier(barrier, missing) => format!("{missing} more must come to {}", named(barrier)),
            };
            let need = Need { action: deed.action, location: deed.location, reason };
            told.push(Waiting { actor: deed.actor, may_end: false, needs: vec![need] });
        }
        told
    }

    fn footprint(&self, state: &[u8], event: u64) -> Footprint {
        footprint::of_step(self.model, state, event)
    }

    fn is_taken_early(&self, event: u64) -> bool {
        self.model.machine.early[label_of(event)]
    }

    fn synchronisation(&self, state: &[u8], event: u64) -> Vec<Synchronisation> {
        synchronisation::of_step(self.model, &mut self.worker(), state, event)
    }

    fn obstacles(&self, state: &[u8]) -> Vec<Obstacle> {
        let mut worker = self.worker();
        let waits = (0..threads(state)).filter_map(|thread| {
            let (wait, label) = worker.waits_for(state, usize::from(thread))?;
            Some((self.deed(thread, label as usize, Given::Nothing), wait))
        });
        synchronisation::obstacles(self.model, state, waits.collect())
    }

    fn wants(&self, state: &[u8]) -> Footprint {
        footprint::of_waiting(self.model, state)
    }

    fn unreached(&self, events: &[u64]) -> Vec<Deed> {
        let labels = &self.model.machine.labels;
        let mut reached = vec![false; self.model.program().statements.len()];
        for event in events {
            reached[labels[label_of(*event)].statement as usize] = true;
        }
        let mut told = Vec::new();
        for (number, label) in labels.iter().enumerate() {
            // Of a branch, one edge is enough to be told.
            if !std::mem::replace(&mut reached[label.statement as usize], true) {
                told.push(self.deed(0, number, Given::Nothing));
            }
        }
        told
    }
}

/// What a kind of faults is asked for as.
fn sort_of(kind: u32) -> Sort {
    let is = |fault: Fault| fault.kind() == kind;
    if is(Fault::SignedOverflow) {
        Sort::SignedOverflow
    } else if is(Fault::DataRace) {
        Sort::DataRace
    } else if is(Fault::DoubleFree) || is(Fault::InvalidFree) {
        Sort::BadFree
    } else if Fault::is_bad_access(kind) {
        Sort::BadAccess
    } else {
        Sort::Other
    }
}
/// Without what only has another name: a part of an object on the heap is called after the type of the pointers that lead
/// to it, and those come and go.
fn without_renamed(changes: Vec<Change>) -> Vec<Change> {
    let object = |change: &Change| {
        let end = change.name.find(['.', '['])?;
        let name = &change.name[..end];
        name.starts_with("heap").then(|| name.to_owned())
    };
    let mut renamed = vec![false; changes.len()];
    for (at, gone) in changes.iter().enumerate().filter(|(_, change)| change.new.is_none()) {
        let Some(own) = object(gone) else { continue };
        let same = changes.iter().enumerate().position(|(other, change)| {
            let is_new = change.old.is_none() && change.new == gone.old;
            !renamed[other] && is_new && object(change).as_ref() == Some(&own)
        });
        if let Some(same) = same {
            (renamed[at], renamed[same]) = (true, true);
        }
    }
    let mut renamed = renamed.into_iter();
    changes.into_iter().filter(|_| renamed.next() == Some(false)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_name_for_a_part_of_an_object_is_no_change() {
        let change = |name: &str, old: Option<&str>, new: Option<&str>| Change {
            name: name.to_owned(),
            old: old.map(str::to_owned),
            new: new.map(str::to_owned),
        };
        let renamed = [change("heap1.due", Some("1"), None), change("heap1[0]", None, Some("1"))];
        assert_eq!(without_renamed(renamed.to_vec()), []);
        let kept = [
            change("heap1.due", Some("1"), None),
            change("heap1[0]", None, Some("2")),
            change("heap2[0]", None, Some("1")),
            change("main.x", Some("1"), None),
        ];
        assert_eq!(without_renamed(kept.to_vec()), kept, "other values, other objects, variables");
    }
}
