//! The steps of a program's states.

use std::sync::{MutexGuard, PoisonError};

use graph::{End, Step, Worker};

use crate::event::event;
use crate::event::place_of;
use crate::machine::{Conduct, Ended, Machine, Note, Touched, Wait};
use crate::model::Model;
use crate::scene::Scene;
use crate::state::{self, Encoder};
use crate::value::{Ref, Value};
use crate::world::{World, Wrongness};

/// Asks a program for its steps. Workers share one world, which grows while classes are loaded, so they take turns.
#[derive(Debug)]
pub struct JavaWorker<'m> {
    model: &'m Model,
    scene: Scene,
    conduct: Conduct,
    encoder: Encoder,
    /// Which objects of the state several threads reach.
    shared: Vec<bool>,
    /// The states that steps lead to, one behind the other.
    bytes: Vec<u8>,
    found: Vec<FoundEvent>,
}

#[derive(Clone, Copy, Debug)]
struct FoundEvent {
    event: u64,
    thread: usize,
    /// The plain access that the step begins with, and whether it writes.
    plain: Option<(Touched, bool)>,
    end: usize,
    violation: Option<u32>,
}

/// What a step did that others can notice.
#[derive(Debug)]
pub(crate) struct Noted {
    pub(crate) notes: Vec<Note>,
    /// Locks of `java.util.concurrent`, and whether somebody had them before the step and after it.
    pub(crate) owners: Vec<(Ref, bool, bool)>,
}

/// Whether somebody has each lock of `java.util.concurrent`.
fn owners(world: &World, scene: &Scene) -> Vec<(Ref, bool)> {
    let Some(Ok(sync)) = world.by_name.get("java/util/concurrent/locks/AbstractOwnableSynchronizer") else {
        return Vec::new();
    };
    let Some(slot) = world.slot(*sync, "exclusiveOwnerThread") else { return Vec::new() };
    let locks = scene.heap.iter().enumerate().filter(|(_, object)| world.is_a(object.class, *sync));
    let owned = locks.map(|(at, object)| {
        let owner = object.body.get(slot);
        (Ref::own(at), matches!(owner, Some(Value::Ref(owner)) if !owner.is_null()))
    });
    owned.collect()
}

/// What one step of a thread came to.
pub(crate) struct Taken {
    pub(crate) event: u64,
    pub(crate) ended: Ended,
    pub(crate) violation: Option<u32>,
}

impl<'m> JavaWorker<'m> {
    pub(crate) fn new(model: &'m Model) -> Self {
        let mut conduct = Conduct::default();
        conduct.by_lines = model.by_lines;
        Self {
            model,
            scene: Scene::default(),
            conduct,
            encoder: Encoder::default(),
            shared: Vec::new(),
            bytes: Vec::new(),
            found: Vec::new(),
        }
    }

    fn world(&self) -> MutexGuard<'m, World> {
        self.model.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads a state, and finds out what threads share.
    fn open(&mut self, world: &World, state: &[u8]) {
        state::decode(world, state, &mut self.scene);
        self.shared.clear();
        if self.scene.alive() > 1 {
            self.scene.share();
            self.shared.extend(self.scene.heap.iter().map(|object| object.shared));
        }
    }

    /// Reads the same state again.
    fn reopen(&mut self, world: &World, state: &[u8]) {
        state::decode(world, state, &mut self.scene);
        for (object, shared) in self.scene.heap.iter_mut().zip(&self.shared) {
            object.shared = *shared;
        }
    }

    /// Lets a thread take one step.
    fn take(&mut self, world: &mut World, thread: usize) -> Taken {
        self.conduct.reset();
        let ended = Machine::new(world, &mut self.scene, &mut self.conduct, thread).step();
        let place = self.conduct.place.or(self.conduct.begin);
        let place = place.map_or(0, |(method, op)| world.place(method, op));
        Taken { event: event(thread, place, &self.conduct.given), ended, violation: self.conduct.violation }
    }

    /// Calls `visit` with every step of the threads that `wanted` names: what it came to, and the scene after it.
    fn each(
        &mut self,
        world: &mut World,
        state: &[u8],
        mut visit: impl FnMut(&mut Self, &mut World, usize, &Taken) -> bool,
    ) {
        self.open(world, state);
        if self.scene.stuck.is_some() || self.scene.exited || !self.scene.goes_on() {
            return;
        }
        let mut is_fresh = true;
        for thread in 0..self.scene.threads.len() {
            self.conduct.choices.clear();
            loop {
                if !is_fresh {
                    self.reopen(world, state);
                }
                if self.scene.threads[thread].ended {
                    is_fresh = true;
                    break;
                }
                let taken = self.take(world, thread);
                is_fresh = !self.conduct.dirty && !matches!(taken.ended, Ended::Needs(_));
                if !visit(self, world, thread, &taken) {
                    return;
                }
                if !self.conduct.next_choices() {
                    break;
                }
            }
        }
    }

    /// What each thread waits for that cannot take a step.
    pub(crate) fn waits(&mut self, state: &[u8]) -> Vec<(usize, Wait)> {
        let mut world = self.world();
        let mut waits = Vec::new();
        self.each(&mut world, state, |_, _, thread, taken| {
            if let Ended::Blocked(wait) = taken.ended {
                waits.push((thread, wait));
            }
            true
        });
        waits
    }

    /// Takes the step of an event again, with notes of what it touches. The objects of the notes are those of the
    /// state; what the step made comes behind them.
    pub(crate) fn noted(&mut self, state: &[u8], wanted: u64) -> Option<Noted> {
        let mut world = self.world();
        self.conduct.notes = Some(Vec::new());
        let mut found = None;
        state::decode(&world, state, &mut self.scene);
        let before = owners(&world, &self.scene);
        self.each(&mut world, state, |worker, world, _, taken| {
            if taken.event == wanted && !matches!(taken.ended, Ended::Blocked(_)) {
                let notes = worker.conduct.notes.clone().unwrap_or_default();
                let after = owners(world, &worker.scene);
                let owners = after.into_iter().map(|(object, is_owned)| {
                    (object, before.iter().any(|(other, owned)| *other == object && *owned), is_owned)
                });
                found = Some(Noted { notes, owners: owners.collect() });
                return false;
            }
            true
        });
        self.conduct.notes = None;
        found
    }

    /// The violation that the step of an event ends in.
    pub(crate) fn violation(&mut self, state: &[u8], wanted: u64) -> Option<u32> {
        let mut world = self.world();
        let mut found = None;
        self.each(&mut world, state, |_, _, _, taken| {
            found = taken.violation.filter(|_| taken.event == wanted);
            found.is_none()
        });
        found
    }

    /// The message of the exception that the step of an event ends in.
    pub(crate) fn said(&mut self, state: &[u8], wanted: u64) -> Option<String> {
        let mut world = self.world();
        let mut found = None;
        self.each(&mut world, state, |worker, _, _, taken| {
            if taken.event == wanted && taken.violation.is_some() {
                found = worker.conduct.said.take();
                return false;
            }
            true
        });
        found
    }

    /// Runs one thread after the other as long as it goes, always the first that can, with what is printed.
    pub(crate) fn run_once(&mut self, most: usize) -> (Vec<u8>, Vec<u32>, Vec<u8>) {
        let mut world = self.world();
        let mut state = self.model.initial.clone();
        self.conduct.output = Some(Vec::new());
        let mut violations = Vec::new();
        for _ in 0..most {
            let mut next = None;
            self.each(&mut world, &state, |worker, world, _, taken| {
                if matches!(taken.ended, Ended::Blocked(_)) {
                    return true;
                }
                violations.extend(taken.violation);
                let mut bytes = Vec::new();
                worker.encoder.encode(world, &worker.scene, &mut bytes);
                next = Some(bytes);
                false
            });
            match next {
                Some(bytes) => state = bytes,
                None => break,
            }
        }
        (self.conduct.output.take().unwrap_or_default(), violations, state)
    }
}

/// Two threads are both about to access a variable, one of them to write it, and nothing orders them: a race.
fn mark_races(world: &mut World, found: &mut [FoundEvent]) {
    let meets = |one: &FoundEvent, two: &FoundEvent| match (one.plain, two.plain) {
        (Some((here, writes)), Some((there, other_writes))) => {
            one.thread != two.thread && here == there && (writes || other_writes)
        }
        _ => false,
    };
    let racing: Vec<usize> =
        (0..found.len()).filter(|at| found.iter().any(|other| meets(&found[*at], other))).collect();
    for at in racing {
        if let Some(place) = world.places.get(place_of(found[at].event)).copied() {
            found[at].violation.get_or_insert(world.wrong(Wrongness::Race { place }));
        }
    }
}

impl Scene {
    /// Whether a thread lives that keeps the program from ending.
    pub(crate) fn goes_on(&self) -> bool {
        self.threads.iter().any(|thread| !thread.ended && !thread.daemon)
    }
}

impl Worker for JavaWorker<'_> {
    fn initial(&mut self, mut visit: impl FnMut(&[u8])) {
        visit(&self.model.initial);
    }

    fn steps(&mut self, state: &[u8], mut visit: impl FnMut(Step<'_>)) {
        let mut found = std::mem::take(&mut self.found);
        let mut bytes = std::mem::take(&mut self.bytes);
        found.clear();
        bytes.clear();
        {
            let mut world = self.world();
            self.each(&mut world, state, |worker, world, thread, taken| {
                if !matches!(taken.ended, Ended::Blocked(_)) {
                    worker.encoder.encode(world, &worker.scene, &mut bytes);
                    let (plain, end) = (worker.conduct.plain, bytes.len());
                    let Taken { event, violation, .. } = *taken;
                    found.push(FoundEvent { event, thread, plain, end, violation });
                }
                true
            });
            if self.model.races {
                mark_races(&mut world, &mut found);
            }
        }
        let mut start = 0;
        for found in &found {
            let FoundEvent { event, end, violation, .. } = *found;
            visit(Step { event, state: &bytes[start..end], violation });
            start = end;
        }
        self.found = found;
        self.bytes = bytes;
    }

    fn end(&mut self, state: &[u8]) -> End {
        if state::is_stuck(state) {
            return End::Unknown;
        }
        if state::is_exited(state) {
            return End::Valid;
        }
        let world = self.world();
        state::decode(&world, state, &mut self.scene);
        if self.scene.goes_on() { End::Deadlock } else { End::Valid }
    }

    fn is_passing(&self, _state: &[u8]) -> bool {
        false
    }
}
