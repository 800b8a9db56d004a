//! The [`Story`] of a Promela model.

use graph::{
    Actor, Actors, Awaited, Change, Chosen, ConditionPart, Deed, FaultKind, Footprint, Need, Obstacle,
    Outline, Sort, Story, System, Told, ViolationKind, Waiting, Worker, Wrong,
};
use model::Fault;
use source::{Location, Span};

use crate::distinct::{distinct_names, inline_calls};
use crate::machine::{Account, Breach, Event, Goal, Statement, Teller, abstracted, account, declaration};
use crate::model::Model;
use crate::resolve::{Initial, Owner, Type, VarId, Variable};

/// Tells about a model.
#[derive(Debug)]
pub struct Narrator<'m> {
    model: &'m Model,
    teller: Teller<'m>,
    /// Every statement as its author wrote it.
    texts: Vec<String>,
    /// The same, with what tells it from all others of its process.
    names: Vec<String>,
    /// Where its process stands before every statement.
    places: Vec<u32>,
    /// The label before it.
    labels: Vec<Option<String>>,
}

impl<'m> Narrator<'m> {
    pub fn new(model: &'m Model) -> Self {
        let teller = Teller::new(&model.program, &model.machine);
        let statements = 0..model.machine.statements.len();
        let texts: Vec<String> = statements.map(|number| written(model, &teller, number)).collect();
        let names = distinct_names(model, &teller, &texts);
        let (places, labels) = (teller.places(), teller.labels());
        Self { model, teller, texts, names, places, labels }
    }

    fn statement(&self, number: u32) -> &'m Statement {
        &self.model.machine.statements[number as usize]
    }

    fn deed(&self, process: u8, number: u32) -> Deed {
        let statement = self.statement(number);
        Deed {
            actor: Actor { name: plain(&statement.process), number: process },
            action: self.texts[number as usize].clone(),
            location: self.location(number),
        }
    }

    /// Where a statement stands, and the calls of inlines it came through.
    fn location(&self, number: u32) -> Option<Location> {
        let location = self.model.location(self.statement(number).span)?;
        let calls = inline_calls(self.model, &self.teller, number as usize);
        Some(Location { calls, ..location })
    }

    pub(crate) fn teller(&self) -> &Teller<'m> {
        &self.teller
    }

    /// A statement as its author wrote it.
    pub(crate) fn text(&self, number: u32) -> &str {
        &self.texts[number as usize]
    }

    /// A trace as what its statements do: its states, one more than its events.
    pub fn account(&self, states: &[Vec<u8>], events: &[u64], goal: Goal) -> Option<Account> {
        account(self.model, states, events, goal)
    }

    /// A statement of an account: its process (none for a global variable's declaration), its text and its place.
    pub fn accountable(&self, number: u32) -> (Option<String>, String, Option<Location>) {
        let program = &self.model.program;
        if (number as usize) < self.texts.len() {
            let process = plain(&self.statement(number).process);
            return (Some(process), self.text(number).to_owned(), self.location(number));
        }
        let first = declaration(&self.model.machine, VarId(0));
        let Some(variable) = number.checked_sub(first).and_then(|at| program.variables.get(at as usize))
        else {
            return (None, String::new(), None);
        };
        let process = match variable.owner {
            Owner::Global => None,
            Owner::Parameter(process, _) | Owner::Local(process) => {
                Some(plain(&program.processes[process.0 as usize].name))
            }
        };
        (process, declared(self.model, variable), self.model.location(variable.span))
    }

    /// How many statements the model has that can be executed or declare a variable with a value.
    pub fn accountable_statements(&self) -> usize {
        let machine = &self.model.machine;
        let executed = machine.statements.iter().filter(|statement| statement.span != Span::default());
        let place = |statement: &'m Statement| (statement.span.start, statement.span.end, &statement.text);
        let places: std::collections::BTreeSet<_> = executed.map(place).collect();
        let valued = |variable: &&Variable| matches!(variable.initial, Initial::Value(_) | Initial::List(_));
        places.len() + self.model.program.variables.iter().filter(valued).count()
    }

    /// The condition that a formula asks of every state, in one of them, part by part. Of several the first that is false.
    pub fn invariant(&self, formula: usize, state: &[u8]) -> Vec<ConditionPart> {
        let (program, property) = (&self.model.program, &self.model.program.formulas[formula]);
        let atoms = abstracted(program, &property.formula).1;
        let mut told = atoms.iter().map(|atom| self.teller.condition_on_state(state, atom));
        let Some(first) = told.next() else { return Vec::new() };
        let is_false = |(_, holds): &(Vec<ConditionPart>, Option<bool>)| *holds == Some(false);
        let culprit = if is_false(&first) { None } else { told.find(is_false) };
        culprit.unwrap_or(first).0
    }

    /// A value as people write it.
    pub fn value_text(&self, ty: Option<Type>, value: i64) -> String {
        match ty {
            None | Some(Type::Chan | Type::Record(_)) => value.to_string(),
            Some(ty) => self.teller.plain_text(ty, value),
        }
    }

    pub(crate) fn name(&self, process: u8, number: u32) -> String {
        let process_name = plain(&self.statement(number).process);
        format!("{process_name}:{process} {}", self.names[number as usize])
    }
}

/// The declaration of a variable, from its name to its value.
fn declared(model: &Model, variable: &Variable) -> String {
    let place = model.map.place(variable.span);
    let rest = &model.map.text(place.file)[place.span.start..];
    let mut depth = 0u32;
    let ends = |c: char| {
        match c {
            '{' => depth += 1,
            '}' if depth > 0 => depth -= 1,
            ';' | '\n' | '}' => return true,
            ',' => return depth == 0,
            _ => {}
        }
        false
    };
    let end = rest.find(ends).unwrap_or(rest.len());
    rest[..end].split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `init` rather than `:init:`, which is SPIN's way to keep the name apart from others.
fn plain(process: &str) -> String {
    process.trim_matches(':').to_owned()
}

/// A statement as it stands in the user's file, on one line. In an inline or a macro the parameters are
/// replaced by what they stand for, and what stands nowhere (the steps of a `for`, a jump) is spelt out.
fn written(model: &Model, teller: &Teller<'_>, number: usize) -> String {
    const MOST: usize = 60;
    let statement = &model.machine.statements[number];
    let words: Vec<&str> = model.source(statement.span).split_whitespace().collect();
    let text = words.join(" ");
    // Of the steps of a `for` only the name of its variable stands in the text.
    let is_name = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_keyword = matches!(text.as_str(), "skip" | "true" | "false" | "else" | "break" | "timeout");
    let stands_there = !text.is_empty() && (!is_name || is_keyword) && !statement.text.starts_with('.');
    let is_whole = teller.expansion(number).is_none() && !model.is_from_macro(statement.span);
    let text = if stands_there && (is_whole || is_keyword) {
        text
    } else {
        teller.spelled(number).unwrap_or_else(|| statement.text.clone())
    };
    if text.chars().count() > MOST {
        return text.chars().take(MOST - 4).collect::<String>() + " ...";
    }
    text
}

/// A variable as people speak of it: a local one with its process.
fn owned(name: String, process: Option<(String, u8)>) -> String {
    match process {
        None => name,
        Some((process, number)) => format!("{}:{number}.{name}", plain(&process)),
    }
}

/// Whether a channel variable can stand for channels that others made.
fn is_handed_on(variable: &Variable) -> bool {
    matches!(variable.owner, Owner::Parameter(..)) || !matches!(variable.initial, Initial::Channel(_))
}

/// What is wrong with the step of an event, and how many faults of other steps come before it.
fn breach(worker: &mut impl Worker, state: &[u8], event: u64) -> Option<(usize, Breach)> {
    let (mut found, mut faults) = (None, 0);
    worker.steps(state, |step| {
        let Some(breach) = step.violation.map(Breach::unpack) else { return };
        if step.event == event {
            found.get_or_insert((faults, breach));
        }
        faults += usize::from(!breach.is_assertion());
    });
    found
}

/// The process and the statement of an assertion that fails in the state before the step. Inside a d_step, or behind
/// a rendezvous, the values are no longer those of that state.
fn asserted(event: u64, breach: Breach) -> Option<(usize, usize)> {
    let own = Event::unpack(event);
    (own.statement == breach.statement).then_some((usize::from(own.process), breach.statement as usize))
}

impl Story for Narrator<'_> {
    fn actors(&self, event: u64) -> Actors {
        let event = Event::unpack(event);
        Actors::new(event.process, event.partner.map(|(process, _)| process))
    }

    fn broken(&self, promise: u32) -> Option<String> {
        let independence = self.model.machine.independence.as_ref()?;
        independence.words.get(promise as usize).cloned()
    }

    fn event(&self, event: u64) -> Told {
        let event = Event::unpack(event);
        Told {
            deed: self.deed(event.process, event.statement),
            partner: event.partner.map(|(process, statement)| self.deed(process, statement)),
        }
    }

    fn chosen(&self, event: u64) -> Chosen {
        let statement = Event::unpack(event).statement as usize;
        Chosen { place: self.places[statement].into(), statement: self.texts[statement].clone(), given: None }
    }

    fn point(&self, event: u64) -> Option<String> {
        self.labels[Event::unpack(event).statement as usize].clone()
    }

    fn label(&self, event: u64) -> String {
        let event = Event::unpack(event);
        let own = self.name(event.process, event.statement);
        match event.partner {
            None => own,
            Some((process, statement)) => format!("{own} -> {}", self.name(process, statement)),
        }
    }

    fn wrong(&self, _event: u64, what: u32) -> Wrong {
        let breach = Breach::unpack(what);
        let location = self.model.location(self.statement(breach.statement).span);
        let text = &self.texts[breach.statement as usize];
        if breach.is_assertion() {
            return Wrong {
                kind: ViolationKind::Assertion,
                text: format!("`{text}` fails"),
                location,
                can_hold: text != "assert(0)" && text != "assert(false)",
                sort: Sort::Other,
            };
        }
        let fault = Fault::kind_name(breach.kind).unwrap_or("fault");
        let text = format!("{fault} in `{text}`");
        Wrong { kind: ViolationKind::Fault, text, location, can_hold: true, sort: Sort::Other }
    }

    fn detail(&self, state: &[u8], event: u64) -> Option<String> {
        let mut worker = self.model.worker();
        let (at, breach) = breach(&mut worker, state, event)?;
        if breach.is_assertion() {
            let (process, statement) = asserted(event, breach)?;
            return self.teller.why_false(state, process, statement);
        }
        match worker.faults().get(at)? {
            // The others say no more than what they are called.
            fault @ (Fault::Index { .. } | Fault::NoProcess(_) | Fault::MessageParts { .. }) => {
                Some(fault.to_string())
            }
            _ => None,
        }
    }

    fn fault(&self, state: &[u8], event: u64) -> Option<FaultKind> {
        let mut worker = self.model.worker();
        let (at, breach) = breach(&mut worker, state, event)?;
        if breach.is_assertion() {
            return None;
        }
        match worker.faults().get(at)? {
            Fault::DivisionByZero => Some(FaultKind::DivisionByZero),
            Fault::NoChannel => Some(FaultKind::Uninitialised),
            Fault::Index { .. } => Some(FaultKind::BadIndex),
            _ => None,
        }
    }

    fn at_bound(&self, state: &[u8], event: u64) -> Option<i64> {
        let event = Event::unpack(event);
        self.teller.at_bound(state, usize::from(event.process), event.statement as usize)
    }

    fn would_pass(&self, state: &[u8], event: u64) -> Option<bool> {
        let event = Event::unpack(event);
        let is_there = self.standing(state).iter().any(|(actor, _)| actor.number == event.process);
        let holds = || self.teller.holds(state, usize::from(event.process), event.statement as usize);
        is_there.then(holds).flatten()
    }

    fn condition(&self, state: &[u8], event: u64) -> Vec<ConditionPart> {
        let breach = breach(&mut self.model.worker(), state, event).map(|(_, breach)| breach);
        let asserted =
            breach.filter(|breach| breach.is_assertion()).and_then(|breach| asserted(event, breach));
        asserted
            .map_or_else(Vec::new, |(process, statement)| self.teller.condition(state, process, statement))
    }

    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        let values = self.teller.values(state).into_iter();
        values.map(|value| (owned(value.name, value.process), value.value)).collect()
    }

    fn outline(&self, state: &[u8]) -> Outline {
        self.teller.outline(state, owned)
    }

    fn changes(&self, from: &[u8], to: &[u8]) -> Vec<Change> {
        let changes = self.teller.changes(from, to).into_iter();
        let told = changes.map(|change| Change {
            name: owned(change.name, change.process),
            old: change.old,
            new: change.new,
        });
        told.collect()
    }

    fn footprint(&self, state: &[u8], event: u64) -> Footprint {
        let event = Event::unpack(event);
        self.teller.footprint(state, event.process, event.statement, event.partner)
    }

    fn touches_by_name(&self) -> bool {
        !self
            .model
            .program
            .variables
            .iter()
            .any(|variable| variable.ty == Type::Chan && is_handed_on(variable))
    }

    fn obstacles(&self, state: &[u8]) -> Vec<Obstacle> {
        let blocked = self.teller.blocked(state).into_iter();
        let told = blocked.flat_map(|blocked| {
            let actor = Actor { name: plain(&blocked.process), number: blocked.pid };
            let (may_end, pid) = (blocked.may_end, blocked.pid);
            blocked.waits.into_iter().map(move |wait| {
                let asked = self.teller.asked_by(state, pid, wait.statement);
                let is_condition = self.teller.origin(wait.statement as usize).is_some();
                Obstacle {
                    actor: actor.clone(),
                    action: self.texts[wait.statement as usize].clone(),
                    location: self.location(wait.statement),
                    may_end,
                    on: match self.teller.channel_of(state, pid, wait.statement) {
                        Some((channel, true)) => Awaited::Room(channel),
                        Some((channel, false)) => Awaited::Message(channel),
                        None if is_condition => Awaited::Condition,
                        None => Awaited::Other,
                    },
                    reads: asked.reads,
                }
            })
        });
        told.collect()
    }

    fn wants(&self, state: &[u8]) -> Footprint {
        self.teller.wants(state)
    }

    fn standing(&self, state: &[u8]) -> Vec<(Actor, u64)> {
        // In an inline a process stands where that is used: others stand elsewhere in the same lines.
        let told = self.teller.standing(state).into_iter().filter_map(|(name, number, next)| {
            Some((Actor { name: plain(name), number }, self.location(next?)?.outermost().line))
        });
        told.collect()
    }

    fn waiting(&self, state: &[u8]) -> Vec<Waiting> {
        let blocked = self.teller.blocked(state).into_iter();
        let told = blocked.map(|blocked| Waiting {
            actor: Actor { name: plain(&blocked.process), number: blocked.pid },
            may_end: blocked.may_end,
            needs: blocked
                .waits
                .into_iter()
                .map(|wait| Need {
                    action: self.texts[wait.statement as usize].clone(),
                    location: self.location(wait.statement),
                    reason: wait.reason,
                })
                .collect(),
        });
        told.collect()
    }

    fn unreached(&self, events: &[u64]) -> Vec<Deed> {
        let executed = events.iter().flat_map(|event| {
            let event = Event::unpack(*event);
            std::iter::once(event.statement).chain(event.partner.map(|(_, statement)| statement))
        });
        self.teller.unreached(executed).into_iter().map(|number| self.deed(0, number)).collect()
    }
}
