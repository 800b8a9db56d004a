//! What steps do to locks, counters and signals, and which of them threads wait for, by the names of variables.

use graph::{Awaited, Deed, Obstacle, Synchronisation};

use super::values::Named;
use crate::machine::{CWorker, Synchronised, Wait};
use crate::model::Model;

pub(super) fn of_step(
    model: &Model,
    worker: &mut CWorker<'_>,
    state: &[u8],
    event: u64,
) -> Vec<Synchronisation> {
    let done = worker.synchronised(state, event);
    if done.is_empty() {
        return Vec::new();
    }
    let names = Named::new(model, state);
    let told = done.into_iter().map(|one| match one {
        Synchronised::Acquire(lock) => Synchronisation::Acquire(names.variable(lock)),
        Synchronised::Release(lock) => Synchronisation::Release(names.variable(lock)),
        Synchronised::Sleep { signal, lock } => {
            Synchronisation::Sleep { signal: names.variable(signal), lock: names.variable(lock) }
        }
        Synchronised::Wake { signal, lock } => {
            Synchronisation::Wake { signal: names.variable(signal), lock: names.variable(lock) }
        }
        Synchronised::Signal { signal, all } => {
            Synchronisation::Signal { signal: names.variable(signal), all }
        }
    });
    told.collect()
}

/// What threads wait for, each with the statement it stands before.
pub(super) fn obstacles(model: &Model, state: &[u8], waits: Vec<(Deed, Wait)>) -> Vec<Obstacle> {
    let names = Named::new(model, state);
    let told = waits.into_iter().map(|(deed, wait)| {
        let on = match wait {
            Wait::Lock(lock, _) | Wait::Shared(lock) => Awaited::Lock(names.variable(lock)),
            Wait::Signal(signal) => Awaited::Signal(names.variable(signal)),
            Wait::Thread(other) => Awaited::End(other),
            Wait::Counter(counter) => Awaited::Counter(names.variable(counter)),
            Wait::Once(_) | Wait::Barrier(..) => Awaited::Other,
        };
        let reads = match &on {
            Awaited::Lock(name) | Awaited::Counter(name) | Awaited::Signal(name) => vec![name.clone()],
            _ => Vec::new(),
        };
        Obstacle {
            actor: deed.actor,
            action: deed.action,
            location: deed.location,
            may_end: false,
            on,
            reads,
        }
    });
    told.collect()
}
