//! What steps do to monitors and locks.

use graph::Synchronisation;

use super::naming::Named;
use crate::machine::Note;
use crate::worker::Noted;
use crate::world::World;

pub(super) fn told(world: &World, named: &Named, noted: &Noted) -> Vec<Synchronisation> {
    let mut told = Vec::new();
    for note in &noted.notes {
        let name = |object| named.lock(world, object);
        told.push(match note {
            Note::Acquire(object) => Synchronisation::Acquire(name(*object)),
            Note::Release(object) => Synchronisation::Release(name(*object)),
            Note::Sleep(object) => Synchronisation::Sleep { signal: name(*object), lock: name(*object) },
            Note::Wake(object) => Synchronisation::Wake { signal: name(*object), lock: name(*object) },
            Note::Signal(object, all) => Synchronisation::Signal { signal: name(*object), all: *all },
            Note::Read(_) | Note::Write(_) | Note::Unpark(_) => continue,
        });
    }
    // Locks of java.util.concurrent say themselves whose they are.
    for (object, before, after) in &noted.owners {
        match (before, after) {
            (false, true) => told.push(Synchronisation::Acquire(named.lock(world, *object))),
            (true, false) => told.push(Synchronisation::Release(named.lock(world, *object))),
            _ => {}
        }
    }
    told
}
