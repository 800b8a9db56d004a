//! What is known when a process executes a statement, as that process sees it.
//!
//! A statement is one for all processes that execute it. That `Client:2` goes on while `Client:3` waits, and that
//! `Client:3` does while `Client:1` waits, is the same thing to a reader: a client goes on while another one waits. So
//! variables of the process itself are *its* variables, and of processes of which there are several it is counted how
//! many others stand in each line. What single other processes do is known as well, and comes last.

use std::collections::{BTreeMap, BTreeSet};

use explain::fatal_when::{Literal, Predicate};
use graph::Actor;

use crate::naming::Naming;

/// Something that has a value when a statement is executed. What comes first is easier to understand.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Known {
    Variable(String),
    /// A variable of the process itself, where several processes execute the statement.
    Own(String),
    /// How many processes of a kind stand in a line, the process itself not counted, of how many.
    Others {
        kind: String,
        line: u64,
        of: usize,
        is_own_kind: bool,
    },
    /// Where a process stands.
    Stands(String),
    /// A variable of another process of a kind of which there are several.
    OfAnother(String),
}

/// Who executes what, and who else there is.
pub(super) struct Outlook<'s, T> {
    system: &'s T,
    /// For each label, the process.
    actors: Vec<Option<Actor>>,
    /// For each label, a label of the same statement: the first of them.
    statements: Vec<u32>,
    /// How many processes there are, and the lines in which they stand, for each kind of which there are several.
    crowds: BTreeMap<String, (usize, BTreeSet<u64>)>,
}

impl<'s, T: Naming> Outlook<'s, T> {
    pub(super) fn new(system: &'s T) -> Self {
        let labels = system.labels().len() as u32;
        let mut first_of = BTreeMap::new();
        let mut members: BTreeMap<String, (BTreeSet<u8>, BTreeSet<u64>)> = BTreeMap::new();
        let (mut actors, mut statements) = (Vec::new(), Vec::new());
        for label in 0..labels {
            let Some(told) = system.told(label) else {
                actors.push(None);
                statements.push(label);
                continue;
            };
            for deed in std::iter::once(&told.deed).chain(&told.partner) {
                let (numbers, lines) = members.entry(deed.actor.name.clone()).or_default();
                numbers.insert(deed.actor.number);
                lines.extend(deed.location.as_ref().map(|at| at.outermost().line));
            }
            actors.push(Some(told.deed.actor.clone()));
            let of = |deed: graph::Deed| (deed.actor.name, deed.action, deed.location);
            let statement = (of(told.deed), told.partner.map(of));
            statements.push(*first_of.entry(statement).or_insert(label));
        }
        let several = members.into_iter().filter(|(_, (numbers, _))| numbers.len() > 1);
        let crowds = several.map(|(kind, (numbers, lines))| (kind, (numbers.len(), lines))).collect();
        Self { system, actors, statements, crowds }
    }

    /// For each label the number of its statement, which is the first label that the statement has.
    pub(super) fn statements(&self) -> &[u32] {
        &self.statements
    }

    /// The labels of a statement.
    pub(super) fn labels_of(&self, statement: u32) -> Vec<u32> {
        (0..).zip(&self.statements).filter(|(_, of)| **of == statement).map(|(label, _)| label).collect()
    }

    /// A statement as an event: of nobody in particular, where several processes execute it.
    pub(super) fn event(&self, statement: u32) -> report::Event {
        let mut event = crate::telling::event(self.system, statement);
        if let Some(actor) = &self.actors[statement as usize]
            && self.labels_of(statement).len() > 1
        {
            let rest = event.event.strip_prefix(&actor.to_string()).map(str::to_owned);
            event.event = rest.map_or(event.event, |rest| format!("{}{rest}", actor.name));
            event.pid = None;
            event.partner.iter_mut().for_each(|partner| partner.pid = None);
        }
        event
    }

    /// What is known in a state in which a step with this label is taken.
    pub(super) fn known(&self, state: u32, label: u32) -> BTreeMap<Known, String> {
        let actor = self.actors[label as usize].as_ref();
        let mut known = BTreeMap::new();
        for (name, value) in self.system.values(state) {
            known.insert(self.variable(name, actor), value);
        }
        let standing = self.system.standing(state);
        for (kind, (all, lines)) in &self.crowds {
            let mut counts: BTreeMap<u64, u64> = lines.iter().map(|line| (*line, 0)).collect();
            let others = standing.iter().filter(|(other, _)| other.name == *kind && Some(other) != actor);
            others.for_each(|(_, line)| *counts.entry(*line).or_default() += 1);
            let is_own_kind = actor.is_some_and(|actor| actor.name == *kind);
            let of = all - usize::from(is_own_kind);
            known.extend(counts.into_iter().map(|(line, count)| {
                (Known::Others { kind: kind.clone(), line, of, is_own_kind }, count.to_string())
            }));
        }
        for (other, line) in standing {
            if Some(&other) != actor {
                known.insert(Known::Stands(other.to_string()), format!("line {line}"));
            }
        }
        known
    }

    /// Whose variable this is: names of those of a process begin with its own, or in C with its number.
    fn variable(&self, name: String, actor: Option<&Actor>) -> Known {
        let Some((owner, own)) = name.split_once('.').filter(|(owner, _)| owner.contains(':')) else {
            return Known::Variable(name);
        };
        let (kind, rest) = owner.split_once(':').unwrap_or((owner, ""));
        let is_crowd = |actor: &&Actor| self.crowds.contains_key(&actor.name);
        match actor.filter(is_crowd) {
            Some(actor) if owner == actor.to_string() => Known::Own(own.to_owned()),
            Some(actor) if kind == actor.number.to_string() => Known::Own(format!("{rest}.{own}")),
            _ if self.crowds.contains_key(kind) || kind.parse::<u8>().is_ok() => Known::OfAnother(name),
            _ => Known::Variable(name),
        }
    }
}

/// A part of a condition, for people.
pub(super) fn written(literal: &Literal<Known>) -> String {
    let Literal { variable, predicate } = literal;
    match variable {
        Known::Variable(name) | Known::OfAnother(name) => compared(&format!("`{name}`"), predicate),
        Known::Own(name) => compared(&format!("its `{name}`"), predicate),
        Known::Stands(actor) => match predicate {
            Predicate::IsNot(line) => format!("{actor} is not at {line}"),
            Predicate::Is(line) => format!("{actor} is at {line}"),
            Predicate::AtLeast(_) | Predicate::AtMost(_) => compared(actor, predicate),
        },
        Known::Others { kind, line, of, is_own_kind } => {
            let (one, other) = if *is_own_kind { ("another", "other ") } else { ("a", "") };
            let several = |how: &str, count: &str| {
                let how_many = match count.parse() {
                    Ok(2) if *of == 2 => "both".to_owned(),
                    Ok(number) if number == *of => format!("all {count}"),
                    _ => format!("{how}{count}"),
                };
                format!("{how_many} {other}`{kind}` processes are at line {line}")
            };
            let none = format!("no {other}{kind} is at line {line}");
            let some = format!("{one} {kind} is at line {line}");
            match predicate {
                Predicate::Is(count) if count == "0" => none,
                Predicate::AtMost(0) => none,
                Predicate::Is(count) if count == "1" && *of == 1 => some,
                Predicate::Is(count) if count == "1" => format!("just one {other}{kind} is at line {line}"),
                Predicate::IsNot(count) if count == "0" => some,
                Predicate::AtLeast(1) => some,
                Predicate::Is(count) => several("", count),
                Predicate::IsNot(count) => format!("not {}", several("", count)),
                Predicate::AtLeast(count) => several("at least ", &count.to_string()),
                Predicate::AtMost(count) => {
                    format!("not more than {count} {other}`{kind}` processes are at line {line}")
                }
            }
        }
    }
}

fn compared(what: &str, predicate: &Predicate) -> String {
    match predicate {
        Predicate::Is(value) => format!("{what} is {value}"),
        Predicate::IsNot(value) => format!("{what} is not {value}"),
        Predicate::AtLeast(value) => format!("{what} is at least {value}"),
        Predicate::AtMost(value) => format!("{what} is at most {value}"),
    }
}
