//! One level of a check, looked at by several threads.
//!
//! Threads take batches of the level's states until none is left. What they find goes into lists of
//! their own. Only the first thread may speak to the [`Watch`]; it does so between batches.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use graph::{End, Interrupt, PULSE, Progress, System, Watch, Worker};

use super::Plan;
use super::chain::Chain;
use super::events::Events;
use super::found::{Found, Wrong};
use super::padded::Padded;
use super::store::{Access, Put, StatePlace, Store};
use super::words::Form;

/// States in a batch, where the level is large and where it is small.
const BATCH: (usize, usize) = (64, 8);
/// So many steps are taken before the store is asked where they lead.
const REQUESTS: usize = 64;
/// The side of the states inside sequences.
const INSIDE: usize = 1;

/// What all threads share.
pub(super) struct Crew<'s, S> {
    system: &'s S,
    pub(super) store: &'s Store,
    max_states: u64,
    threads: usize,
    /// If one process alone may be looked at, which promises are trusted.
    pub(super) trusted: Option<u64>,
    /// How many states of the level have been taken.
    pub(super) cursor: Padded<AtomicUsize>,
    /// Set when no more states are to be added.
    is_full: AtomicBool,
    /// Set when everything is to end at once.
    stopped: AtomicBool,
    reason: Mutex<Option<Interrupt>>,
    steps: Padded<AtomicU64>,
}

/// Which states are to be looked at: positions on both sides.
#[derive(Default)]
pub(super) struct Level {
    pub(super) states: [Vec<u32>; 2],
    pub(super) depth: u32,
    /// Where the positions of its states end.
    pub(super) ends: [u32; 2],
}

impl Level {
    pub(super) fn size(&self) -> usize {
        self.states[0].len() + self.states[1].len()
    }

    fn place(&self, at: usize) -> StatePlace {
        let [first, second] = &self.states;
        match at.checked_sub(first.len()) {
            None => StatePlace { side: 0, position: first[at] },
            Some(at) => StatePlace { side: 1, position: second[at] },
        }
    }
}

impl<'s, S: System> Crew<'s, S> {
    pub(super) fn new(system: &'s S, store: &'s Store, plan: Plan, trusted: Option<u64>) -> Self {
        Self {
            system,
            store,
            max_states: plan.max_states,
            threads: plan.threads.get(),
            trusted,
            cursor: Padded::default(),
            is_full: AtomicBool::new(false),
            stopped: AtomicBool::new(false),
            reason: Mutex::new(None),
            steps: Padded::default(),
        }
    }

    pub(super) fn interrupt(&self) -> Option<Interrupt> {
        *self.reason.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many steps were looked at.
    pub(super) fn steps(&self) -> u64 {
        self.steps.0.load(Ordering::Relaxed)
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
    pub(super) events: Events,
    /// The nearest state, smallest bytes first, of which the system cannot tell what comes next.
    pub(super) obstacle: Option<(u32, Vec<u8>)>,
    pub(super) chain: Chain,
    /// States to look at again, because the process that was tried was not enough; and the next to try.
    again: Vec<(StatePlace, u32)>,
    /// Where the steps of a process alone lead.
    held: Vec<(usize, Option<u32>)>,
    since_pulse: u64,
}

/// Whether a state was looked at in full, or through one process alone and then with which to go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    Whole,
    OneProcess { next: u32 },
}

/// Where a step comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Source {
    place: StatePlace,
    part: Part,
}

/// What a thread works with.
pub(super) struct Desk<'s, S: System + 's> {
    worker: S::Worker<'s>,
    /// Is asked about states while the other is busy showing them.
    asked: S::Worker<'s>,
    /// States are asked for by where a step comes from that leads to them.
    access: Access<'s, Source>,
}

impl<'s, S: System> Desk<'s, S> {
    pub(super) fn new(crew: &Crew<'s, S>, thread: usize) -> Self {
        let (worker, asked) = (crew.system.worker(), crew.system.worker());
        Self { worker, asked, access: Access::new(crew.store, thread) }
    }
}

impl Hand {
    /// Looks at states of the level until there are none left or everything is to end.
    pub(super) fn work<'s, S: System>(
        &mut self,
        crew: &Crew<'s, S>,
        desk: &mut Desk<'s, S>,
        level: &Level,
        watch: Option<&dyn Watch>,
    ) {
        desk.access.begin_blocks();
        let size = level.size();
        let (largest, smallest) = BATCH;
        let batch = (size / (16 * crew.threads)).clamp(smallest, largest);
        loop {
            let begin = crew.cursor.0.fetch_add(batch, Ordering::Relaxed);
            if begin >= size || crew.stopped.load(Ordering::Acquire) {
                break;
            }
            let mut steps = 0;
            for at in begin..(begin + batch).min(size) {
                steps += self.look_at(crew, desk, level.place(at), 0, level.depth);
                if desk.access.mark() >= REQUESTS {
                    self.arrive(crew, &mut desk.access, level.ends);
                }
            }
            loop {
                self.arrive(crew, &mut desk.access, level.ends);
                let Some((place, next)) = self.again.pop() else { break };
                steps += self.look_at(crew, desk, place, next, level.depth);
            }
            let all_steps = crew.steps.0.fetch_add(steps, Ordering::Relaxed) + steps;
            let [counted, inside] = crew.store.states();
            if counted + inside > crew.max_states && !crew.is_full.load(Ordering::Relaxed) {
                crew.fill();
            }
            self.since_pulse += steps + 1;
            if let (Some(watch), PULSE..) = (watch, self.since_pulse) {
                self.since_pulse = 0;
                let (states, edges) = (counted + inside, all_steps);
                let progress = Progress { phase: "exploring", states, edges, ..Progress::default() };
                if let Err(reason) = watch.pulse(progress) {
                    crew.stop(reason);
                }
            }
        }
    }

    /// Looks at one state, through one process alone if that is allowed and possible, and tells how many
    /// steps it has taken. Processes before `first` have been tried.
    fn look_at<S: System>(
        &mut self,
        crew: &Crew<'_, S>,
        desk: &mut Desk<'_, S>,
        place: StatePlace,
        first: u32,
        depth: u32,
    ) -> u64 {
        let mut state = std::mem::take(&mut self.state);
        crew.store.get(place, &mut self.form, &mut state);
        let mut alone = None;
        if let Some(trusted) = crew.trusted {
            if trusted != 0 && first == 0 {
                self.chain.broken |= desk.worker.broken_promises(&state);
            }
            alone = self.look_alone(crew, desk, place, &state, trusted, first);
        }
        let steps = alone.unwrap_or_else(|| self.look_at_all(crew, desk, place, &state, depth));
        self.state = state;
        steps
    }

    /// Takes the steps of a process that can be looked at alone, if there is one.
    fn look_alone<S: System>(
        &mut self,
        crew: &Crew<'_, S>,
        desk: &mut Desk<'_, S>,
        place: StatePlace,
        state: &[u8],
        trusted: u64,
        mut first: u32,
    ) -> Option<u64> {
        let Desk { worker, asked, access } = desk;
        loop {
            let mark = access.mark();
            let (mut steps, mut wrong) = (0, false);
            // Which process it is turns out only when its steps have been shown.
            let source = Source { place, part: Part::OneProcess { next: 0 } };
            first = worker.steps_of_one(state, trusted, first, |step| {
                steps += 1;
                wrong |= step.violation.is_some();
                self.events.add(step.event);
                self.go(crew, asked, access, step.state, source);
            })?;
            // What is wrong is noted when the state is looked at in full.
            if wrong {
                access.forget_since(mark);
                continue;
            }
            access.set_purposes(mark, Source { place, part: Part::OneProcess { next: first } });
            return Some(steps);
        }
    }

    /// Takes all steps of a state.
    fn look_at_all<S: System>(
        &mut self,
        crew: &Crew<'_, S>,
        desk: &mut Desk<'_, S>,
        place: StatePlace,
        state: &[u8],
        depth: u32,
    ) -> u64 {
        let Desk { worker, asked, access } = desk;
        let mut steps = 0;
        worker.steps(state, |step| {
            steps += 1;
            self.events.add(step.event);
            if let Some(what) = step.violation {
                self.found.add(Wrong::Step { event: step.event, what }, depth + 1, state);
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
            self.go(crew, asked, access, step.state, Source { place, part: Part::Whole });
        });
        if steps == 0 {
            self.note_end(worker.end(state), depth, state);
        }
        steps
    }

    /// Asks for a state that a step leads to, or for the one where there is a choice again.
    #[inline]
    fn go<S: System>(
        &mut self,
        crew: &Crew<'_, S>,
        asked: &mut impl Worker,
        access: &mut Access<'_, Source>,
        state: &[u8],
        source: Source,
    ) {
        let Self { events, chain, form, .. } = self;
        let state = match crew.trusted {
            None => state,
            Some(trusted) => chain.follow(asked, state, trusted, |event, _| events.add(event)),
        };
        let side = usize::from(asked.is_passing(state));
        if !access.request(state, side, form, source) {
            crew.stop(Interrupt::Memory);
        }
    }

    fn note_end(&mut self, end: End, depth: u32, state: &[u8]) {
        match end {
            End::Valid => {}
            End::Deadlock => {
                self.found.add(Wrong::Deadlock, depth, state);
                self.wrong_outside += 1;
            }
            End::Unknown => {
                let known = self.obstacle.as_ref();
                if known.is_none_or(|(at, known)| (depth, state) < (*at, &known[..])) {
                    self.obstacle = Some((depth, state.to_vec()));
                }
            }
        }
    }

    /// Finds out where the steps lead that were taken. The level ends at `ends`: what lies beyond is new or
    /// will be looked at on the next level.
    fn arrive<S: System>(&mut self, crew: &Crew<'_, S>, access: &mut Access<'_, Source>, ends: [u32; 2]) {
        let add = !crew.is_full.load(Ordering::Relaxed);
        // The process that is looked at alone, and whether its steps lead to where more will be looked at.
        let mut group: Option<(Source, bool)> = None;
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
            if source.part == Part::Whole {
                self.tally(crew, source.place, side, target);
                return;
            }
            if let Some((last, leads_on)) = group
                && last != source
            {
                self.end_group(crew, last, leads_on);
                group = None;
            }
            self.held.push((side, target));
            let leads_on = target.is_none_or(|target| target >= ends[side]);
            group = Some((source, leads_on || group.is_some_and(|(_, before)| before)));
        });
        if let Some((source, leads_on)) = group {
            self.end_group(crew, source, leads_on);
        }
    }

    /// The steps of a process alone are enough if one of them leads to where more will be looked at, so that
    /// the others' turn comes at last (the queue proviso: Bosnacki and Holzmann, "Improving Spin's
    /// Partial-Order Reduction for Breadth-First Search", 2005). If not, another process is tried.
    fn end_group<S: System>(&mut self, crew: &Crew<'_, S>, source: Source, leads_on: bool) {
        let mut held = std::mem::take(&mut self.held);
        match source.part {
            Part::OneProcess { next } if !leads_on => self.again.push((source.place, next)),
            _ => held.iter().for_each(|(side, target)| self.tally(crew, source.place, *side, *target)),
        }
        held.clear();
        self.held = held;
    }

    /// Counts a step.
    #[inline]
    fn tally<S: System>(&mut self, crew: &Crew<'_, S>, source: StatePlace, side: usize, target: Option<u32>) {
        match (source.side, target) {
            (INSIDE, Some(target)) if side == INSIDE => self.steps_inside.push([source.position, target]),
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
    }
}
