//! A user's system as the engine knows systems: states are the numbers that tables give them.
//!
//! A [`crate::System`] has states and actions of any type; a [`graph::System`] has bytes and numbers. So every state
//! and every event is put into a table once, and the engine is given their numbers. Searching and telling ask the
//! same tables, which is why they lie behind a `RefCell`; nothing is borrowed while the user's code runs that it
//! could ask for again.

use std::cell::RefCell;
use std::hash::{BuildHasher as _, Hash};

use findings::ViolationKind;
use graph::{
    Actor, Actors, Change, Deed, End, Footprint, Held, Need, Outline, Slot, Sort, Step, Story, Told, Worker,
    Wrong,
};
use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

use super::Error;
use super::system::{Event, Location, Outcome, Steps, System, Violation};

/// Equal things once, numbered in the order in which they came.
#[derive(Debug)]
struct Table<T> {
    items: Vec<T>,
    numbers: HashTable<u32>,
}

impl<T: Eq + Hash> Table<T> {
    fn new() -> Self {
        Self { items: Vec::new(), numbers: HashTable::new() }
    }

    fn find(&self, item: &T) -> Option<u32> {
        let same = |number: &u32| self.items[*number as usize] == *item;
        self.numbers.find(FxBuildHasher.hash_one(item), same).copied()
    }

    /// The number of an item, and whether it is new. Searches end long before numbers do.
    fn insert(&mut self, item: T) -> (u32, bool) {
        let hash = FxBuildHasher.hash_one(&item);
        let Self { items, numbers } = self;
        if let Some(number) = numbers.find(hash, |number| items[*number as usize] == item) {
            return (*number, false);
        }
        let number = items.len() as u32;
        items.push(item);
        numbers.insert_unique(hash, number, |number| FxBuildHasher.hash_one(&items[*number as usize]));
        (number, true)
    }
}

/// Everything that was met.
struct Tables<S: System> {
    states: Table<S::State>,
    /// For each state the violation that it is, or [`FINE`].
    wrong: Vec<u32>,
    actions: Table<S::Action>,
    /// The event of each action.
    event_of: Vec<u32>,
    events: Table<Event>,
    /// A line for each event that no other has.
    labels: Table<String>,
    violations: Table<Violation>,
    /// What processes with each number are called.
    processes: Vec<Option<String>>,
    /// Whether some event tells more than its name.
    tells_more: bool,
    error: Option<Error>,
}

const FINE: u32 = u32::MAX;
/// The state before the first step, for traces that begin where something is wrong.
const BEFORE: u32 = u32::MAX;
/// The state behind a step that is wrong itself.
const BEHIND: u32 = u32::MAX - 1;
/// The event that leads to an initial state, where that has to be a step.
const BEGIN: u64 = u64::MAX;
/// Who does what nobody in particular does.
const SYSTEM: u8 = 254;

impl<S: System> Tables<S> {
    fn state(&mut self, system: &S, state: S::State) -> u32 {
        let (number, is_new) = self.states.insert(state);
        if is_new {
            let violation = system.violation(&self.states.items[number as usize]);
            let wrong = violation.map_or(FINE, |violation| self.violations.insert(violation).0);
            self.wrong.push(wrong);
        }
        number
    }

    fn event(&mut self, system: &S, action: S::Action) -> u32 {
        if let Some(known) = self.actions.find(&action) {
            return self.event_of[known as usize];
        }
        let event = system.event(&action);
        self.check_process(&event);
        let (number, is_new) = self.events.insert(event.clone());
        if is_new {
            self.tells_more |= event.process.is_some() || event.location.is_some();
            self.label(&event);
        }
        self.actions.insert(action);
        self.event_of.push(number);
        number
    }

    /// Finds a line for a new event.
    fn label(&mut self, event: &Event) {
        let plain = match &event.process {
            Some((name, number)) => format!("{name}:{number} {}", event.action),
            None => event.action.clone(),
        };
        let placed = event.location.as_ref().map(|at| format!("{plain} ({at})"));
        let numbered = (2_u64..).map(|count| format!("{plain} #{count}"));
        let mut candidates = std::iter::once(plain.clone()).chain(placed).chain(numbered);
        let free = candidates.find(|label| label != START && self.labels.find(label).is_none());
        self.labels.insert(free.unwrap_or(plain));
    }

    fn check_process(&mut self, event: &Event) {
        let Some((name, number)) = &event.process else { return };
        match self.processes.get_mut(usize::from(*number)) {
            None => {
                self.error.get_or_insert(Error::ProcessNumber { name: name.clone(), number: *number });
            }
            Some(Some(known)) if known != name => {
                let (one, other) = (known.clone(), name.clone());
                self.error.get_or_insert(Error::SameProcess { number: *number, one, other });
            }
            Some(known) => *known = Some(name.clone()),
        }
    }
}

const START: &str = "(start)";

/// A system with its tables.
pub(super) struct Bridge<'s, S: System> {
    system: &'s S,
    tables: RefCell<Tables<S>>,
    initial: Vec<u32>,
    /// Whether traces begin one step earlier, because an initial state is wrong.
    begins_before: bool,
}

impl<'s, S: System> Bridge<'s, S> {
    pub(super) fn new(system: &'s S) -> Result<Self, Error> {
        let mut tables = Tables {
            states: Table::new(),
            wrong: Vec::new(),
            actions: Table::new(),
            event_of: Vec::new(),
            events: Table::new(),
            labels: Table::new(),
            violations: Table::new(),
            processes: vec![None; usize::from(SYSTEM)],
            tells_more: false,
            error: None,
        };
        let states = system.initial_states();
        if states.is_empty() {
            return Err(Error::NoInitialState);
        }
        let initial: Vec<u32> = states.into_iter().map(|state| tables.state(system, state)).collect();
        let begins_before = initial.iter().any(|state| tables.wrong[*state as usize] != FINE);
        Ok(Self { system, tables: RefCell::new(tables), initial, begins_before })
    }

    /// What the system did that no system may do.
    pub(super) fn error(&self) -> Option<Error> {
        self.tables.borrow_mut().error.take()
    }

    fn variables(&self, state: &[u8]) -> Vec<(String, String)> {
        let tables = self.tables.borrow();
        let known = tables.states.items.get(number(state) as usize);
        known.map_or_else(Vec::new, |state| self.system.variables(state))
    }

    fn told(&self, event: u64) -> Event {
        let tables = self.tables.borrow();
        let known = usize::try_from(event).ok().and_then(|event| tables.events.items.get(event));
        known.cloned().unwrap_or_else(|| Event::new(START))
    }
}

fn number(state: &[u8]) -> u32 {
    state.try_into().map_or(BEHIND, u32::from_le_bytes)
}

pub(super) struct Asking<'a, S: System> {
    bridge: &'a Bridge<'a, S>,
    steps: Steps<S::State, S::Action>,
}

impl<S: System> graph::System for Bridge<'_, S> {
    type Worker<'a>
        = Asking<'a, S>
    where
        Self: 'a;

    fn worker(&self) -> Asking<'_, S> {
        Asking { bridge: self, steps: Steps::new() }
    }
}

impl<S: System> Worker for Asking<'_, S> {
    fn initial(&mut self, mut visit: impl FnMut(&[u8])) {
        if self.bridge.begins_before {
            return visit(&BEFORE.to_le_bytes());
        }
        self.bridge.initial.iter().for_each(|state| visit(&state.to_le_bytes()));
    }

    fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
        let Bridge { system, tables, initial, .. } = self.bridge;
        let state = number(state);
        if state == BEFORE {
            for state in initial {
                let wrong = tables.borrow().wrong[*state as usize];
                let violation = (wrong != FINE).then_some(wrong);
                visit(Step { event: BEGIN, state: &state.to_le_bytes(), violation });
            }
            return;
        }
        {
            let tables = tables.borrow();
            let Some(known) = tables.states.items.get(state as usize) else { return };
            if tables.wrong[state as usize] != FINE || tables.error.is_some() {
                return;
            }
            system.steps(known, &mut self.steps);
        }
        for (action, outcome) in self.steps.list.drain(..) {
            let mut tables = tables.borrow_mut();
            let event = u64::from(tables.event(system, action));
            let (to, wrong) = match outcome {
                Outcome::Wrong(violation) => (BEHIND, tables.violations.insert(violation).0),
                Outcome::To(state) => {
                    let to = tables.state(system, state);
                    (to, tables.wrong[to as usize])
                }
            };
            drop(tables);
            visit(Step { event, state: &to.to_le_bytes(), violation: (wrong != FINE).then_some(wrong) });
        }
    }

    fn end(&mut self, state: &[u8]) -> End {
        let tables = self.bridge.tables.borrow();
        let state = number(state);
        let Some(known) = tables.states.items.get(state as usize) else { return End::Valid };
        let is_over = tables.wrong[state as usize] != FINE || tables.error.is_some();
        if is_over || self.bridge.system.may_end(known) { End::Valid } else { End::Deadlock }
    }

    fn is_passing(&self, _: &[u8]) -> bool {
        false
    }
}

pub(super) fn location(location: Location) -> source::Location {
    let Location { file, line, column, text } = location;
    source::Location { file, line, column, text, calls: Vec::new() }
}

impl<S: System> Story for Bridge<'_, S> {
    fn has_processes(&self) -> bool {
        self.tables.borrow().tells_more
    }

    fn actors(&self, event: u64) -> Actors {
        let number = self.told(event).process.map(|(_, number)| number).filter(|number| *number < SYSTEM);
        number.map_or(Actors::NONE, |number| Actors::new(number, None))
    }

    fn event(&self, event: u64) -> Told {
        let Event { action, process, location: at } = self.told(event);
        let (name, number) = process.unwrap_or_else(|| ("system".to_owned(), SYSTEM));
        let actor = Actor { name, number };
        Told { deed: Deed { actor, action, location: at.map(location) }, partner: None }
    }

    fn label(&self, event: u64) -> String {
        let tables = self.tables.borrow();
        let known = usize::try_from(event).ok().and_then(|event| tables.labels.items.get(event));
        known.cloned().unwrap_or_else(|| START.to_owned())
    }

    fn wrong(&self, _: u64, what: u32) -> Wrong {
        let tables = self.tables.borrow();
        let text = tables.violations.items.get(what as usize).map(|violation| violation.text.clone());
        Wrong {
            kind: ViolationKind::Safety,
            text: text.unwrap_or_default(),
            location: None,
            can_hold: true,
            sort: Sort::Other,
        }
    }

    fn detail(&self, _: &[u8], _: u64) -> Option<String> {
        None
    }

    fn values(&self, state: &[u8]) -> Vec<(String, String)> {
        self.variables(state)
    }

    /// Every state is laid out in its own way, since its bytes are only its number.
    fn outline(&self, state: &[u8]) -> Outline {
        let slots = self.variables(state).into_iter();
        let slots = slots.map(|(name, value)| Slot { name, held: Held::Always(value) }).collect();
        Outline::new(state, std::iter::once(0..state.len()).collect(), slots)
    }

    fn changes(&self, from: &[u8], to: &[u8]) -> Vec<Change> {
        let (before, mut after) = (self.variables(from), self.variables(to));
        let mut changes = Vec::new();
        for (name, old) in before {
            let at = after.iter().position(|(other, _)| *other == name);
            let new = at.map(|at| after.swap_remove(at).1);
            if new.as_ref() != Some(&old) {
                changes.push(Change { name, old: Some(old), new });
            }
        }
        changes.extend(after.into_iter().map(|(name, new)| Change { name, old: None, new: Some(new) }));
        changes
    }

    /// Nobody says what a step reads, so it may read everything; it writes what it changes.
    fn footprint(&self, state: &[u8], event: u64) -> Footprint {
        let mut writes: Vec<String> = Vec::new();
        graph::System::worker(self).steps(state, |step| {
            if step.event == event {
                writes.extend(self.changes(state, step.state).into_iter().map(|change| change.name));
            }
        });
        writes.sort();
        writes.dedup();
        Footprint {
            reads: self.variables(state).into_iter().map(|(name, _)| name).collect(),
            writes,
            ..Footprint::default()
        }
    }

    fn waiting(&self, state: &[u8]) -> Vec<graph::Waiting> {
        let tables = self.tables.borrow();
        let Some(known) = tables.states.items.get(number(state) as usize) else { return Vec::new() };
        let waiting = self.system.waiting(known).into_iter();
        let told = waiting.map(|one| graph::Waiting {
            actor: Actor { name: one.process, number: one.number },
            may_end: false,
            needs: vec![Need { action: String::new(), location: None, reason: one.reason }],
        });
        told.collect()
    }

    fn unreached(&self, _: &[u64]) -> Vec<Deed> {
        Vec::new()
    }
}
