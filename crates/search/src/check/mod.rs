//! Checking a system without keeping its steps: verdict, counts, and a shortest trace to every class of
//! violations, by any number of threads with the same answer.
//!
//! Levels of a breadth-first search are looked at one after the other, each by all threads at once. Which
//! states a level has, and what is wrong in it, does not depend on who comes first, and neither does
//! anything that is told. States are kept in few bytes ([`words`]) and found without locks ([`records`]).
//! They lie in the order of levels, so that a trace can be found afterwards by going back level by level
//! ([`trace`]).

mod chain;
mod chunks;
mod events;
mod found;
mod gate;
mod index;
mod level;
mod numbering;
mod padded;
mod records;
mod store;
mod threads;
mod trace;
mod ways;
mod words;

use std::num::NonZeroUsize;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError, RwLock};

use graph::{Interrupt, System, Watch, Worker};

use self::events::Events;
use self::found::Found;
pub use self::found::{Class, Wrong};
use self::gate::Gate;
use self::level::{Crew, Desk, Hand, Level};
use self::numbering::Numbering;
use self::store::{Access, Put, Store};
use self::words::Form;

/// Levels with fewer states are looked at by one thread: waking the others takes longer.
const WORTH_SHARING: usize = 128;

/// How to check.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Whole levels are looked at, up to the one whose steps lead beyond so many states.
    pub max_states: u64,
    pub threads: NonZeroUsize,
    /// Whether to look at one process alone where that is enough, and to keep no states where there is only
    /// one way to go (partial-order reduction). What can be violated, and which events there are, stays the
    /// same; how many states there are, and how far away things are, does not.
    pub reduce: bool,
}

impl Default for Plan {
    fn default() -> Self {
        Self { max_states: u64::MAX, threads: NonZeroUsize::MIN, reduce: false }
    }
}

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
    /// All steps that were looked at, each as often as it was.
    pub steps: u64,
    /// The events of all steps, in ascending order.
    pub events: Vec<u64>,
    /// The nearest state of which the system cannot tell what comes next, if there is any.
    pub obstacle: Option<Vec<u8>>,
    /// The bytes of all states and of what finds them.
    pub memory: usize,
    pub interrupt: Option<Interrupt>,
    /// Promises of processes that turned out to be broken, as bits; they were not relied upon.
    pub broken: u64,
    /// If it was reduced, which promises were trusted.
    trusted: Option<u64>,
    store: Store,
    /// Where the positions of states begin on each level, and end on the last.
    levels: Vec<[u32; 2]>,
}

/// Checks all of `system`, as far as the plan allows.
pub fn check<S: System + Sync>(system: &S, plan: Plan, watch: &dyn Watch) -> Checked {
    let mut trusted = plan.reduce.then_some(u64::MAX);
    loop {
        match check_trusting(system, plan, trusted, watch) {
            Ok(checked) => return checked,
            // Promises that are broken must not be trusted.
            Err(broken) => trusted = trusted.map(|trusted| trusted & !broken),
        }
    }
}

/// Checks with a trust in promises; those that were broken are the error.
fn check_trusting<S: System + Sync>(
    system: &S,
    plan: Plan,
    trusted: Option<u64>,
    watch: &dyn Watch,
) -> Result<Checked, u64> {
    let store = Store::new(plan.threads.get());
    let crew = Crew::new(system, &store, plan, trusted);
    let mut level = Level::default();
    let mut worker = system.worker();
    let mut initial = Vec::new();
    worker.initial(|state| initial.push(state.to_vec()));
    let mut access = Access::new(&store, 0);
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
    let Levels { hands, levels, looked_at } =
        look_at_levels(&crew, plan.threads.get().min(threads::MOST), level, watch)?;
    let interrupt = crew.interrupt();
    let [counted, inside] = looked_at;
    let mut result = Checked {
        states: counted,
        all_states: counted + inside,
        transitions: initial.len() as u64,
        errors: 0,
        max_depth: (levels.len() as u32).saturating_sub(2),
        violations: Vec::new(),
        steps: crew.steps(),
        events: Vec::new(),
        obstacle: None,
        memory: 0,
        interrupt,
        broken: !trusted.unwrap_or(u64::MAX),
        trusted,
        levels,
        store: Store::new(1),
    };
    sum_up(&crew, hands, &mut result);
    drop((access, worker));
    result.memory = store.memory();
    result.store = store;
    Ok(result)
}

/// What came of all levels.
struct Levels {
    hands: Vec<Hand>,
    /// Where each begins, and the last one ends.
    levels: Vec<[u32; 2]>,
    /// How many states were looked at on both sides.
    looked_at: [u64; 2],
}

/// Looks at one level after the other, until nothing new is found or everything is to end; promises that
/// turned out to be broken are the error.
fn look_at_levels<'s, S: System + Sync>(
    crew: &Crew<'s, S>,
    threads: usize,
    first: Level,
    watch: &dyn Watch,
) -> Result<Levels, u64> {
    let hands: Vec<Mutex<Hand>> = (0..threads).map(|_| Mutex::default()).collect();
    let hold = |at: usize| hands[at].lock().unwrap_or_else(PoisonError::into_inner);
    let level = RwLock::new(first);
    let (mut levels, mut looked_at) = (vec![[0, 0]], [0, 0]);
    let gate = Gate::default();
    let work = |at: usize, desk: &mut Desk<'s, S>, watch: Option<&dyn Watch>| {
        let level = level.read().unwrap_or_else(PoisonError::into_inner);
        hold(at).work(crew, desk, &level, watch);
    };
    let ended = std::thread::scope(|scope| {
        let _closing = gate.closing();
        let mut desk = Desk::new(crew, 0);
        let mut started = 1;
        loop {
            let is_shared = {
                let mut level = level.write().unwrap_or_else(PoisonError::into_inner);
                if level.size() == 0 || crew.interrupt().is_some() {
                    return Ok(());
                }
                level.ends = crew.store.ends();
                levels.push(level.ends);
                level.size() >= WORTH_SHARING
            };
            looked_at = crew.store.states();
            crew.cursor.0.store(0, Ordering::Relaxed);
            if is_shared {
                while started < threads {
                    let (at, gate, work) = (started, &gate, &work);
                    let attends = threads::start(scope, move || {
                        let mut desk = Desk::new(crew, at);
                        gate.attend(|| work(at, &mut desk, None));
                    });
                    if !attends {
                        break;
                    }
                    started += 1;
                }
                gate.hold_round(started - 1, || work(0, &mut desk, Some(watch)));
            } else {
                work(0, &mut desk, Some(watch));
            }
            let mut level = level.write().unwrap_or_else(PoisonError::into_inner);
            level.states.iter_mut().for_each(Vec::clear);
            // At the end of a level, so that it does not matter who is quicker.
            let mut broken = 0;
            for at in 0..started {
                let mut hand = hold(at);
                for (all, new) in level.states.iter_mut().zip(&mut hand.new) {
                    all.append(new);
                }
                broken |= hand.chain.broken;
            }
            if broken & crew.trusted.unwrap_or(0) != 0 {
                return Err(broken);
            }
            level.depth += 1;
        }
    });
    ended?;
    let hands = hands.into_iter().map(|hand| hand.into_inner().unwrap_or_else(PoisonError::into_inner));
    Ok(Levels { hands: hands.collect(), levels, looked_at })
}

/// Puts together what all hands have found.
fn sum_up<S: System>(crew: &Crew<'_, S>, mut hands: Vec<Hand>, result: &mut Checked) {
    let numbering = Numbering::new(crew.store, hands.len());
    let others = hands.len().saturating_sub(1);
    let waiting = Mutex::new(hands.iter_mut());
    let work = || {
        let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).next();
        while let Some(hand) = next() {
            hand.steps_inside.iter_mut().for_each(|step| *step = step.map(|state| numbering.of(state)));
            hand.exits.iter_mut().for_each(|(state, _)| *state = numbering.of(*state));
            hand.wrong_inside.iter_mut().for_each(|state| *state = numbering.of(*state));
        }
    };
    std::thread::scope(|scope| {
        let _ = (0..others).all(|_| threads::start(scope, work));
        work();
    });
    let mut inside = numbering.inside;
    let mut steps = Vec::new();
    let mut found = Vec::new();
    let mut events = Vec::new();
    let mut obstacle: Option<(u32, Vec<u8>)> = None;
    for hand in hands {
        for (state, exits) in hand.exits {
            inside[state as usize].exits += exits;
        }
        for state in hand.wrong_inside {
            inside[state as usize].wrong += 1;
        }
        steps.push(hand.steps_inside);
        result.transitions += hand.direct;
        result.errors += hand.wrong_outside;
        found.push(hand.found);
        events.push(hand.events);
        obstacle = obstacle.into_iter().chain(hand.obstacle).min();
    }
    result.events = Events::together(events);
    result.obstacle = obstacle.map(|(_, state)| state);
    let ways = ways::count(&inside, &steps);
    result.transitions = result.transitions.saturating_add(ways.transitions);
    result.errors = result.errors.saturating_add(ways.errors);
    result.violations = Found::together(found);
}

impl Checked {
    /// Whether steps were left out that make no difference.
    pub fn is_reduced(&self) -> bool {
        self.trusted.is_some()
    }
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
