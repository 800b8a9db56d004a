//! Checking a system without keeping its steps: verdict, counts, and a shortest trace to every class of
//! violations, by any number of threads with the same answer.
//!
//! Levels of a breadth-first search are looked at one after the other, each by all threads at once. Which
//! states a level has, and what is wrong in it, does not depend on who comes first, and neither does
//! anything that is told. States are kept in few bytes ([`words`]) and found without locks ([`records`]).
//! They lie in the order of levels, so that a trace can be found afterwards by going back level by level
//! ([`trace`]).

mod chunks;
mod found;
mod level;
mod records;
mod store;
mod trace;
mod ways;
mod words;

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;

use graph::{Interrupt, System, Watch, Worker};

use self::found::Found;
pub use self::found::{Class, Wrong};
use self::level::{Crew, Hand, Level};
use self::store::{Access, Put, Store};
use self::ways::Inside;
use self::words::Form;

/// Levels with fewer states are looked at by one thread: waking the others takes longer.
const WORTH_SHARING: usize = 1024;

/// What a check came to.
pub struct Checked {
    /// States that were looked at, those inside sequences that nothing interrupts not counted.
    pub states: u64,
    /// All states that were looked at.
    pub all_states: u64,
    /// Transitions as SPIN counts them: arrivals at states that are counted, the first one included.
    pub transitions: u64,
    /// Violations as SPIN counts them: once for every way through such a sequence.
    pub errors: u64,
    /// How many steps it takes to the farthest state.
    pub max_depth: u32,
    /// What is wrong, nearest first.
    pub violations: Vec<Class>,
    /// The bytes of all states and of what finds them.
    pub memory: usize,
    pub interrupt: Option<Interrupt>,
    store: Store,
    /// Where the positions of states begin on each level, and end on the last.
    levels: Vec<[u32; 2]>,
}

/// Checks all of `system`. With a limit on states, whole levels are looked at, up to the one whose steps
/// lead beyond the limit.
pub fn check<S: System + Sync>(
    system: &S,
    max_states: u64,
    threads: NonZeroUsize,
    watch: &dyn Watch,
) -> Checked {
    let store = Store::new();
    let crew = Crew::new(system, &store, max_states);
    let mut hands: Vec<Hand> = (0..threads.get()).map(|_| Hand::default()).collect();
    let mut access = Access::new(&store);
    let mut levels = vec![[0, 0]];
    let mut level = Level::default();
    let mut worker = system.worker();
    let mut initial = Vec::new();
    worker.initial(|state| initial.push(state.to_vec()));
    let mut has_room = true;
    for state in &initial {
        has_room &= access.request(state, usize::from(worker.is_passing(state)), &Form::default(), ());
    }
    access.answer(true, |(), side, put| match put {
        Put::New(position) => level.states[side].push(position),
        Put::Known(_) | Put::Missing => {}
        Put::NoRoom => has_room = false,
    });
    if !has_room {
        crew.stop(Interrupt::Memory);
    }
    let mut looked_at = [0, 0];
    while level.size() > 0 && crew.interrupt().is_none() {
        levels.push(store.ends());
        looked_at = store.states();
        crew.cursor.store(0, Ordering::Relaxed);
        let (first, others) = hands.split_at_mut(1);
        let others = if level.size() < WORTH_SHARING { &mut [] } else { others };
        std::thread::scope(|scope| {
            for hand in others {
                scope.spawn(|| hand.work(&crew, &level, None));
            }
            first[0].work(&crew, &level, Some(watch));
        });
        level.states.iter_mut().for_each(Vec::clear);
        for hand in &mut hands {
            for (all, new) in level.states.iter_mut().zip(&mut hand.new) {
                all.append(new);
            }
        }
        level.depth += 1;
    }
    let interrupt = crew.interrupt();
    let [counted, inside] = looked_at;
    let mut result = Checked {
        states: counted,
        all_states: counted + inside,
        transitions: initial.len() as u64,
        errors: 0,
        max_depth: (levels.len() as u32).saturating_sub(2),
        violations: Vec::new(),
        memory: 0,
        interrupt,
        levels,
        store: Store::new(),
    };
    sum_up(&crew, hands, &mut result);
    drop((access, worker));
    result.memory = store.memory();
    result.store = store;
    result
}

/// Puts together what all hands have found.
fn sum_up<S: System>(crew: &Crew<'_, S>, hands: Vec<Hand>, result: &mut Checked) {
    // From here on the counter of a state inside is its place in the list.
    let mut inside: Vec<Inside> = Vec::new();
    let store = crew.store;
    for place in store.places([u32::MAX, 0], [0, store.ends()[1]]) {
        let arrivals = store.counter(place.position).swap(inside.len() as u32, Ordering::Relaxed);
        inside.push(Inside { arrivals: u64::from(arrivals), ..Inside::default() });
    }
    let place = |position: u32| store.counter(position).load(Ordering::Relaxed);
    let mut steps = Vec::new();
    let mut found = Vec::new();
    for hand in hands {
        for (state, exits) in hand.exits {
            inside[place(state) as usize].exits += u64::from(exits);
        }
        for state in hand.wrong_inside {
            inside[place(state) as usize].wrong += 1;
        }
        steps.extend(hand.steps_inside.into_iter().map(|step| step.map(place)));
        result.transitions += hand.direct;
        result.errors += hand.wrong_outside;
        found.push(hand.found);
    }
    let ways = ways::count(&inside, &mut steps);
    result.transitions = result.transitions.saturating_add(ways.transitions);
    result.errors = result.errors.saturating_add(ways.errors);
    result.violations = Found::together(found);
}

impl std::fmt::Debug for Checked {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Checked")
            .field("states", &self.states)
            .field("transitions", &self.transitions)
            .field("violations", &self.violations)
            .field("interrupt", &self.interrupt)
            .finish_non_exhaustive()
    }
}
