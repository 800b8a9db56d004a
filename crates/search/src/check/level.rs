//! One level of a check, looked at by several threads.
//!
//! Threads take batches of the level's states until none is left. What they find goes into lists of
//! their own. Only the first thread may speak to the [`Watch`]; it does so between batches.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use graph::{End, Interrupt, PULSE, Progress, System, Watch, Worker};

use super::found::{Found, Wrong};
use super::store::{Access, Place, Put, Store};
use super::words::Form;

/// States in a batch.
const BATCH: u64 = 64;
/// So many steps are taken before the store is asked where they lead.
const REQUESTS: usize = 64;
/// The side of the states inside sequences.
const INSIDE: usize = 1;

/// What all threads share.
pub(super) struct Crew<'s, S> {
    system: &'s S,
    pub(super) store: &'s Store,
    max_states: u64,
    /// How many states of the level have been taken.
    pub(super) cursor: AtomicU64,
    /// Set when no more states are to be added.
    is_full: AtomicBool,
    /// Set when everything is to end at once.
    stopped: AtomicBool,
    reason: Mutex<Option<Interrupt>>,
    steps: AtomicU64,
}

/// Which states are to be looked at: positions on both sides.
#[derive(Default)]
pub(super) struct Level {
    pub(super) states: [Vec<u32>; 2],
    pub(super) depth: u32,
}

impl Level {
    pub(super) fn size(&self) -> usize {
        self.states[0].len() + self.states[1].len()
    }

    fn place(&self, at: usize) -> Place {
        let [first, second] = &self.states;
        match at.checked_sub(first.len()) {
            None => Place { side: 0, position: first[at] },
            Some(at) => Place { side: 1, position: second[at] },
        }
    }
}

impl<'s, S: System> Crew<'s, S> {
    pub(super) fn new(system: &'s S, store: &'s Store, max_states: u64) -> Self {
        Self {
            system,
            store,
            max_states,
            cursor: AtomicU64::new(0),
            is_full: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            reason: Mutex::new(None),
            steps: AtomicU64::new(0),
        }
    }

    pub(super) fn interrupt(&self) -> Option<Interrupt> {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends everything.
    pub(super) fn stop(&self, reason: Interrupt) {
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.stopped.store(true, Ordering::Release);
    }

    /// The level is still to be looked at, but nothing is to be added.
    fn fill(&self) {
        let reason = Interrupt::States(self.max_states);
        self.reason.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(reason);
        self.is_full.store(true, Ordering::Release);
    }
}

/// One thread's part.
#[derive(Default)]
pub(super) struct Hand {
    form: Form,
    state: Vec<u8>,
    /// States that were not known before.
    pub(super) new: [Vec<u32>; 2],
    /// Steps from counted states to counted states.
    pub(super) direct: u64,
    /// Steps between states inside sequences.
    pub(super) steps_inside: Vec<[u32; 2]>,
    /// How many steps lead from a state inside to counted ones; the same state may come again.
    pub(super) exits: Vec<(u32, u32)>,
    /// Violating steps out of counted states, and deadlocks.
    pub(super) wrong_outside: u64,
    /// The state before each violating step inside a sequence.
    pub(super) wrong_inside: Vec<u32>,
    pub(super) found: Found,
    since_pulse: u64,
}

/// What a thread needs for one level.
struct Desk<'s, S: System + 's> {
    worker: S::Worker<'s>,
    /// Is asked about states while the other is busy showing them.
    asked: S::Worker<'s>,
    /// States are asked for by the place from which a step leads to them.
    access: Access<'s, Place>,
}

impl Hand {
    /// Looks at states of the level until there are none left or everything is to end.
    pub(super) fn work<S: System>(&mut self, crew: &Crew<'_, S>, level: &Level, watch: Option<&dyn Watch>) {
        let (worker, asked) = (crew.system.worker(), crew.system.worker());
        let mut desk: Desk<'_, S> = Desk { worker, asked, access: Access::new(crew.store) };
        let size = level.size();
        loop {
            let begin = crew.cursor.fetch_add(BATCH, Ordering::Relaxed) as usize;
            if begin >= size || crew.stopped.load(Ordering::Acquire) {
                break;
            }
            let mut steps = 0;
            for at in begin..(begin + BATCH as usize).min(size) {
                steps += self.look_at(crew, &mut desk, level.place(at), level.depth);
                if desk.access.requests() >= REQUESTS {
                    self.arrive(crew, &mut desk.access);
                }
            }
            self.arrive(crew, &mut desk.access);
            let all_steps = crew.steps.fetch_add(steps, Ordering::Relaxed) + steps;
            let [counted, inside] = crew.store.states();
            if counted + inside > crew.max_states && !crew.is_full.load(Ordering::Relaxed) {
                crew.fill();
            }
            self.since_pulse += steps + 1;
            if let (Some(watch), PULSE..) = (watch, self.since_pulse) {
                self.since_pulse = 0;
                let (states, edges) = (counted + inside, all_steps);
                let progress = Progress { phase: "exploring", states, edges, permille: None };
                if let Err(reason) = watch.pulse(progress) {
                    crew.stop(reason);
                }
            }
        }
    }

    /// Looks at one state and tells how many steps it has.
    fn look_at<S: System>(
        &mut self,
        crew: &Crew<'_, S>,
        desk: &mut Desk<'_, S>,
        place: Place,
        depth: u32,
    ) -> u64 {
        let mut state = std::mem::take(&mut self.state);
        crew.store.get(place, &mut self.form, &mut state);
        let Desk { worker, asked, access } = desk;
        let mut steps = 0;
        worker.steps(&state, |step| {
            steps += 1;
            if let Some(what) = step.violation {
                self.found.add(Wrong::Step { event: step.event, what }, depth + 1, &state);
                if place.side == INSIDE {
                    self.wrong_inside.push(place.position);
                    // What fails where it stands leads nowhere.
                    if step.state == state {
                        return;
                    }
                } else {
                    self.wrong_outside += 1;
                }
            }
            let side = usize::from(asked.is_passing(step.state));
            if !access.request(step.state, side, &self.form, place) {
                crew.stop(Interrupt::Memory);
            }
        });
        if steps == 0 && worker.end(&state) == End::Deadlock {
            self.found.add(Wrong::Deadlock, depth, &state);
            self.wrong_outside += 1;
        }
        self.state = state;
        steps
    }

    /// Finds out where the steps lead that were taken.
    fn arrive<S: System>(&mut self, crew: &Crew<'_, S>, access: &mut Access<'_, Place>) {
        let add = !crew.is_full.load(Ordering::Relaxed);
        access.answer(add, |source, side, put| {
            let target = match put {
                Put::New(target) => {
                    self.new[side].push(target);
                    Some(target)
                }
                Put::Known(target) => Some(target),
                Put::Missing => None,
                Put::NoRoom => {
                    crew.stop(Interrupt::Memory);
                    None
                }
            };
            match (source.side, target) {
                (INSIDE, Some(target)) if side == INSIDE => {
                    self.steps_inside.push([source.position, target]);
                }
                (_, Some(target)) if side == INSIDE => {
                    crew.store.counter(target).fetch_add(1, Ordering::Relaxed);
                }
                // Nothing is known to lie behind what is not there.
                (_, None) if side == INSIDE => {}
                (INSIDE, _) => match self.exits.last_mut() {
                    Some((state, exits)) if *state == source.position => *exits += 1,
                    _ => self.exits.push((source.position, 1)),
                },
                _ => self.direct += 1,
            }
        });
    }
}
