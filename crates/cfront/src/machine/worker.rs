//! The machine as a system: the steps of a state, one for every choice there is.
//!
//! A step is run from its start for every combination of choices (values of inputs, edges), the last
//! choice changing fastest, so that nothing has to be taken back.

mod notes;
mod races;

use graph::{End, Step, System, Worker};
use model::Fault;

pub(super) use self::notes::Notes;
pub(crate) use self::notes::{Noted, Synchronised};
use self::races::{Access, Accesses};
use super::compile::Machine;
use super::events::event;
use super::halt::{Halt, Wait};
use super::limits::Stuck;
use super::scene::{self, ENDED, HOLDER, RUNS, SLEEPS, STATUS, Scene, THREADS, UNTOLD, WOKEN};

/// Explores a machine.
#[derive(Debug)]
pub struct CWorker<'m> {
    pub(super) machine: &'m Machine,
    /// The values of inputs, in the order in which they are asked for; all values are tried without them.
    pub(super) inputs: Option<&'m [i64]>,
    /// The state that is being made.
    pub(super) next: Vec<u8>,
    pub(super) scene: Scene,
    /// Where the frame of the call that goes on starts.
    pub(super) local: usize,
    pub(super) label: u32,
    /// The inputs of the step, in the order in which it took them.
    pub(super) given: Vec<i64>,
    /// What was chosen, of how many.
    choices: Vec<(u64, u64)>,
    made: usize,
    pub(super) values: Vec<i64>,
    /// What the step accesses, and what the steps of all threads would.
    accessed: Vec<Access>,
    accesses: Accesses,
    /// What the step reads and writes, where somebody wants to know.
    pub(super) notes: Option<Notes>,
    /// What a thread that went to sleep waits for.
    pub(super) sleeps_for: Wait,
    pub(super) blocks: Vec<u8>,
    pub(super) taken: Vec<u32>,
    pub(super) fresh: Vec<u32>,
    /// Whether only the call that goes on is looked at, so that its return leaves an exit.
    pub(super) alone: bool,
    /// Whether the step left an exit.
    pub(super) has_left: bool,
}

impl System for Machine {
    type Worker<'a> = CWorker<'a>;

    fn worker(&self) -> CWorker<'_> {
        self.worker_with(self.inputs.as_deref())
    }
}

impl Machine {
    /// A worker with inputs of its own.
    pub(crate) fn worker_with<'m>(&'m self, inputs: Option<&'m [i64]>) -> CWorker<'m> {
        CWorker {
            machine: self,
            inputs,
            next: Vec::new(),
            scene: Scene::default(),
            local: 0,
            label: 0,
            given: Vec::new(),
            choices: Vec::new(),
            made: 0,
            values: Vec::new(),
            accessed: Vec::new(),
            accesses: Accesses::default(),
            notes: None,
            sleeps_for: Wait::Signal(0),
            blocks: Vec::new(),
            taken: Vec::new(),
            fresh: Vec::new(),
            alone: false,
            has_left: false,
        }
    }
}

impl CWorker<'_> {
    /// One of `count` ways to go on.
    pub(super) fn choose(&mut self, count: u64) -> u64 {
        self.made += 1;
        match self.choices.get(self.made - 1) {
            Some((chosen, _)) => *chosen,
            None => {
                self.choices.push((0, count));
                0
            }
        }
    }

    /// How many ways there were to come this far in a step.
    pub(super) fn ways(&self) -> u64 {
        self.choices[..self.made].iter().fold(1, |all, (_, count)| all.saturating_mul(*count))
    }

    /// Goes on to the next combination of choices, if there is one.
    fn next_choices(&mut self) -> bool {
        while let Some((chosen, count)) = self.choices.last_mut() {
            *chosen += 1;
            if *chosen < *count {
                return true;
            }
            self.choices.pop();
        }
        false
    }

    /// Gets ready for a step from the state that lies in `next`.
    pub(super) fn begin(&mut self) {
        self.scene.find(self.machine, &self.next);
        self.made = 0;
        self.given.clear();
        self.accessed.clear();
        self.notes.iter().for_each(Notes::clear);
        self.has_left = false;
    }

    /// Runs every step of a thread from a state.
    pub(super) fn explore(
        &mut self,
        state: &[u8],
        thread: usize,
        mut visit: impl FnMut(&mut Self, Result<(), Halt>),
    ) {
        self.choices.clear();
        loop {
            self.next.clear();
            self.next.extend_from_slice(state);
            self.begin();
            let halted = self.run(thread);
            visit(self, halted);
            if !self.next_choices() {
                return;
            }
        }
    }

    /// Takes the step of the first thread from a state, by the first edges that let it pass.
    pub(super) fn only_step(&mut self, state: &[u8]) -> Result<(), Halt> {
        self.choices.clear();
        loop {
            self.next.clear();
            self.next.extend_from_slice(state);
            self.begin();
            let halted = self.run(0);
            if halted != Err(Halt::Blocked) || !self.next_choices() {
                return halted;
            }
        }
    }

    /// Whether the thread is there and has something to do.
    pub(super) fn is_alive(&mut self, state: &[u8], thread: usize) -> bool {
        self.scene.find(self.machine, state);
        matches!(state[self.scene.threads[thread].start + STATUS], RUNS | WOKEN)
    }

    /// Whether the next step of a thread concerns no other.
    fn is_private(&mut self, state: &[u8], thread: usize) -> bool {
        self.scene.find(self.machine, state);
        let at = self.scene.threads[thread];
        if state[at.start + STATUS] != RUNS {
            return false;
        }
        let function = &self.machine.functions[scene::function(state, at.top)];
        function.locations[scene::location(state, at.top) as usize].private
    }

    /// Takes all steps of a thread: how many there are, and whether one is wrong.
    fn steps_of(
        &mut self,
        state: &[u8],
        thread: usize,
        races: bool,
        visit: &mut impl FnMut(Step<'_>),
    ) -> (u32, bool) {
        let (mut count, mut wrong) = (0, false);
        let mut stuck = None;
        if !self.is_alive(state, thread) {
            return (0, false);
        }
        self.explore(state, thread, |worker, halted| {
            let violation = match halted {
                Ok(()) if races => Some(Fault::DataRace.kind()),
                Ok(()) => None,
                Err(Halt::Blocked | Halt::Waits(_)) => return,
                Err(Halt::Stuck(_)) => {
                    stuck.get_or_insert(worker.label);
                    return;
                }
                Err(Halt::Fault(fault)) => Some(fault.kind()),
                Err(Halt::Wrong(what)) => Some(what),
            };
            if violation.is_some() {
                worker.next[ENDED] = 1;
                wrong = true;
            }
            count += 1;
            let event = event(thread, worker.label, &worker.given);
            visit(Step { event, state: &worker.next, violation });
        });
        // Where some ways go on, or other threads, one that nobody can tell must not be forgotten.
        if let Some(label) = stuck.filter(|_| count > 0 || state[THREADS] > 1) {
            self.next.clear();
            self.next.extend_from_slice(state);
            self.next[ENDED] = UNTOLD;
            visit(Step { event: event(thread, label, &[]), state: &self.next, violation: None });
        }
        (count, wrong)
    }

    /// What a thread waits for, and with which label; none if it does not wait.
    pub(crate) fn waits_for(&mut self, state: &[u8], thread: usize) -> Option<(Wait, u32)> {
        self.scene.find(self.machine, state);
        let start = self.scene.threads[thread].start;
        let sleeps = state[start + STATUS] == SLEEPS;
        if scene::is_over(state[start + STATUS]) {
            return None;
        }
        let mut found = None;
        self.explore(state, thread, |worker, halted| match halted {
            Err(Halt::Waits(wait)) => _ = found.get_or_insert((wait, worker.label)),
            _ if sleeps => _ = found.get_or_insert((worker.sleeps_for, worker.label)),
            _ => {}
        });
        found
    }

    /// For every thread, the label of the first edge that could come next, if it goes on at all.
    pub(crate) fn standing(&mut self, state: &[u8]) -> Vec<Option<u32>> {
        self.scene.find(self.machine, state);
        let of = |at: &scene::ThreadAt| {
            // Without a frame there is nothing to stand in.
            if at.top <= at.start || scene::is_over(state[at.start + STATUS]) {
                return None;
            }
            let function = &self.machine.functions[scene::function(state, at.top)];
            let location = &function.locations[scene::location(state, at.top) as usize];
            let first = function.edges.get(location.first as usize).filter(|_| location.count > 0);
            first.map(|edge| edge.label)
        };
        self.scene.threads.iter().map(of).collect()
    }

    /// What keeps the machine from telling what comes after a state.
    pub(crate) fn stuck(&mut self, state: &[u8]) -> Option<(Stuck, u32)> {
        let mut found = None;
        if state[ENDED] == UNTOLD {
            let mut before = state.to_vec();
            before[ENDED] = 0;
            return self.stuck(&before);
        }
        if state[ENDED] != 0 {
            return None;
        }
        for thread in 0..usize::from(state[THREADS]) {
            if self.is_alive(state, thread) {
                self.explore(state, thread, |worker, halted| {
                    if let Err(Halt::Stuck(stuck)) = halted {
                        found.get_or_insert((stuck, worker.label));
                    }
                });
            }
        }
        found
    }

    /// The inputs that a step took; `to` is nothing if the step is wrong.
    pub(crate) fn given(&mut self, from: &[u8], to: Option<&[u8]>, wanted: u64) -> Vec<i64> {
        let thread = super::thread_of(wanted) as usize;
        let mut found = None;
        self.explore(from, thread, |worker, halted| {
            let leads_there = match halted {
                Ok(()) => to == Some(&worker.next),
                Err(Halt::Fault(_) | Halt::Wrong(_)) => to.is_none(),
                Err(_) => false,
            };
            if leads_there && event(thread, worker.label, &worker.given) == wanted {
                found.get_or_insert_with(|| worker.given.clone());
            }
        });
        found.unwrap_or_default()
    }

    /// The fault of a step, with all that is known about it.
    pub(crate) fn fault(&mut self, state: &[u8], wanted: u64) -> Option<model::Fault> {
        let thread = super::thread_of(wanted) as usize;
        let mut found = None;
        self.explore(state, thread, |worker, halted| {
            if let Err(Halt::Fault(fault)) = halted
                && event(thread, worker.label, &worker.given) == wanted
            {
                found.get_or_insert(fault);
            }
        });
        found
    }
}

impl Worker for CWorker<'_> {
    fn initial(&mut self, mut visit: impl FnMut(&[u8])) {
        visit(&self.machine.initial);
    }

    fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
        if state[ENDED] != 0 {
            return;
        }
        let threads = usize::from(state[THREADS]);
        if let Some(holder) = usize::from(state[HOLDER]).checked_sub(1)
            && self.steps_of(state, holder, false, &mut visit).0 > 0
        {
            return;
        }
        // A step that concerns nobody else comes before or after all others with the same effect, so it
        // may as well come first (a persistent set of one, after Godefroid).
        let mut gone = None;
        if threads > 1 {
            for thread in 0..threads {
                if self.is_private(state, thread) {
                    let (count, wrong) = self.steps_of(state, thread, false, &mut visit);
                    if count > 0 && !wrong {
                        return;
                    }
                    if count > 0 {
                        gone = Some(thread);
                        break;
                    }
                }
            }
        }
        let racing = self.racing(state);
        for thread in (0..threads).filter(|thread| Some(*thread) != gone) {
            self.steps_of(state, thread, racing >> thread & 1 == 1, &mut visit);
        }
    }

    fn end(&mut self, state: &[u8]) -> End {
        if self.stuck(state).is_some() {
            return End::Unknown;
        }
        if state[ENDED] != 0 {
            return End::Valid;
        }
        let threads = 0..usize::from(state[THREADS]);
        let mut waiting = 0;
        for thread in threads {
            if self.waits_for(state, thread).is_some() {
                waiting += 1;
            } else if self.is_alive(state, thread) {
                // Not the others keep it, but an assumption.
                return End::Valid;
            }
        }
        if waiting > 0 { End::Deadlock } else { End::Valid }
    }

    fn is_passing(&self, state: &[u8]) -> bool {
        state[HOLDER] != 0
    }
}
