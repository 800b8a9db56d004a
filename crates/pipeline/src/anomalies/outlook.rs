//! What is known when a process executes a statement, as that process sees it.
//!
//! A statement is one for all processes that execute it. That `Client:2` goes on while `Client:3` waits, and that
//! `Client:3` does while `Client:1` waits, is the same thing to a reader: a client goes on while another one waits. So
//! variables of the process itself are *its* variables, and of processes of which there are several it is counted how
//! many others stand in each line. What single other processes do is known as well, and comes last.
//!
//! A variable is also known by its whole name, whoever moves: a condition on `P:1.n` is about that variable when `P:1` moves
//! itself. Where steps are taken early that concern nobody else, variables of others hold fewer values than they
//! can hold in the program. Conditions on them would be true of the steps that were looked at only, and are not made.

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet};
use std::hash::Hash;

use explain::fatal_when::Literal;
use findings::{Fact, Subject};
use graph::Actor;
use rustc_hash::FxHashMap;

use crate::naming::Naming;

/// A kind of process of which there are several.
struct Crowd {
    kind: String,
    members: usize,
    /// The lines in which they stand, ascending.
    lines: Vec<u64>,
}

/// Who executes what, and who else there is. What is known is numbered, and so are values.
pub(super) struct Outlook<'s, T> {
    system: &'s T,
    /// For each label, the process.
    actors: Vec<Option<Actor>>,
    /// For each label, a label of the same statement: the first of them.
    statements: Vec<u32>,
    crowds: Vec<Crowd>,
    /// Whether any steps are taken early that concern nobody else.
    is_hurried: bool,
    known: Numbers<Subject>,
    values: Numbers<String>,
    /// What a variable is to a process, by the number of the process.
    variables: FxHashMap<(Option<u8>, String), Vec<u32>>,
    /// Where the counts of a crowd begin among what is known, by whether the process belongs to it.
    counts: FxHashMap<(usize, bool), u32>,
}

/// Things and their numbers.
struct Numbers<K> {
    of: FxHashMap<K, u32>,
    list: Vec<K>,
}

impl<K: Clone + Eq + Hash> Numbers<K> {
    fn new() -> Self {
        Self { of: FxHashMap::default(), list: Vec::new() }
    }

    fn of<Q: ?Sized + Eq + Hash + ToOwned<Owned = K>>(&mut self, key: &Q) -> u32
    where
        K: Borrow<Q>,
    {
        if let Some(number) = self.of.get(key) {
            return *number;
        }
        self.list.push(key.to_owned());
        self.of.insert(key.to_owned(), self.list.len() as u32 - 1);
        self.list.len() as u32 - 1
    }
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
        let crowds = several
            .map(|(kind, (numbers, lines))| Crowd {
                kind,
                members: numbers.len(),
                lines: lines.into_iter().collect(),
            })
            .collect();
        Self {
            system,
            actors,
            statements,
            crowds,
            is_hurried: (0..labels).any(|label| system.is_taken_early(label)),
            known: Numbers::new(),
            values: Numbers::new(),
            variables: FxHashMap::default(),
            counts: FxHashMap::default(),
        }
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
    pub(super) fn event(&self, statement: u32) -> findings::Event {
        let mut event = crate::as_findings::event(self.system, statement);
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

    /// What is known by its number, the easiest to understand first, and the values.
    pub(super) fn columns(&self) -> (Vec<u32>, &[String]) {
        let mut columns: Vec<u32> = (0..self.known.list.len() as u32).collect();
        columns.sort_by_key(|column| &self.known.list[*column as usize]);
        (columns, &self.values.list)
    }

    pub(super) fn value(&self, number: u32) -> &str {
        &self.values.list[number as usize]
    }

    /// What is known in a state in which a step with this label is taken, with its value.
    pub(super) fn look(&mut self, state: u32, label: u32, row: &mut Vec<(u32, u32)>) {
        row.clear();
        let actor = self.actors[label as usize].clone();
        for (name, value) in self.system.values(state) {
            let key = (actor.as_ref().map(|actor| actor.number), name);
            if !self.variables.contains_key(&key) {
                let subjects = self.variable(key.1.clone(), actor.as_ref());
                let columns = subjects.iter().map(|subject| self.known.of(subject)).collect();
                self.variables.insert(key.clone(), columns);
            }
            let value = self.values.of(value.as_str());
            row.extend(self.variables[&key].iter().map(|column| (*column, value)));
        }
        let standing = self.system.standing(state);
        for at in 0..self.crowds.len() {
            let is_own = actor.as_ref().is_some_and(|actor| actor.name == self.crowds[at].kind);
            let first = self.first_count(at, is_own);
            let crowd = &self.crowds[at];
            let others = standing
                .iter()
                .filter(|(other, _)| other.name == crowd.kind && Some(other) != actor.as_ref());
            let mut counts = vec![0u32; crowd.lines.len()];
            for (_, line) in others {
                if let Ok(place) = crowd.lines.binary_search(line) {
                    counts[place] += 1;
                }
            }
            for (count, column) in counts.into_iter().zip(first..) {
                row.push((column, self.values.of(count.to_string().as_str())));
            }
        }
        for (other, line) in standing.into_iter().filter(|(other, _)| Some(other) != actor.as_ref()) {
            let column = self.known.of(&Subject::Stands(other.to_string()));
            row.push((column, self.values.of(format!("line {line}").as_str())));
        }
    }

    /// The first of the numbers, one after the other, of how many of a crowd stand in its lines.
    fn first_count(&mut self, at: usize, is_own_kind: bool) -> u32 {
        let Self { crowds, known, .. } = self;
        *self.counts.entry((at, is_own_kind)).or_insert_with(|| {
            let crowd = &crowds[at];
            let of = crowd.members - usize::from(is_own_kind);
            let first = known.list.len() as u32;
            for line in &crowd.lines {
                known.of(&Subject::Others { kind: crowd.kind.clone(), line: *line, of, is_own_kind });
            }
            first
        })
    }

    /// A part of a condition, with the name of what it is about.
    pub(super) fn fact(&self, literal: &Literal) -> Fact {
        Fact {
            subject: self.known.list[literal.variable as usize].clone(),
            predicate: literal.predicate.clone(),
        }
    }

    /// Whose variable this is, the easiest to understand first: names of those of a process begin with its own, or in C with
    /// its number. Nothing if nothing can be said of it.
    fn variable(&self, name: String, actor: Option<&Actor>) -> Vec<Subject> {
        let Some((owner, own)) = name.split_once('.').filter(|(owner, _)| owner.contains(':')) else {
            return vec![Subject::Variable(name)];
        };
        let (kind, rest) = owner.split_once(':').unwrap_or((owner, ""));
        let is_crowd = |kind: &str| self.crowds.iter().any(|crowd| crowd.kind == kind);
        let its = match actor.filter(|actor| is_crowd(&actor.name)) {
            Some(actor) if owner == actor.to_string() => Some(Subject::Own(own.to_owned())),
            Some(actor) if kind == actor.number.to_string() => Some(Subject::Own(format!("{rest}.{own}"))),
            _ => None,
        };
        let is_of_one = is_crowd(kind) || kind.parse::<u8>().is_ok();
        match its {
            its if is_of_one && self.is_hurried => its.into_iter().collect(),
            Some(its) => vec![its, Subject::OfAnother(name)],
            None if is_of_one => vec![Subject::OfAnother(name)],
            None => vec![Subject::Variable(name)],
        }
    }
}
