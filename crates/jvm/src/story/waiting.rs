//! What keeps threads that cannot go on.

use graph::{Awaited, Deed, Need, Obstacle, Waiting};

use super::naming::Named;
use super::{Narrator, actor};
use crate::machine::{Wait, place_in};
use crate::scene::Scene;
use crate::value::{Ref, Value};
use crate::worker::JavaWorker;
use crate::world::World;

/// A thread that waits: what it stands before, what for, and why in words.
struct Waits {
    deed: Deed,
    may_end: bool,
    on: Awaited,
    reason: String,
}

fn all(narrator: &Narrator<'_>, state: &[u8]) -> Vec<Waits> {
    let waits = JavaWorker::new(narrator.model).waits(state);
    let world = narrator.world();
    let (scene, named) = narrator.named(&world, state);
    let told = waits.into_iter().filter_map(|(thread, wait)| {
        let of = scene.threads.get(thread)?;
        let place = place_in(&world, &of.calls)?;
        let deed = Deed {
            actor: actor(&world, thread as u8),
            action: narrator.model.words(&world, place),
            location: narrator.model.location(&world, place.0, place.1),
        };
        let (on, reason) = awaited(&world, &scene, &named, thread, wait);
        Some(Waits { deed, may_end: of.daemon, on, reason })
    });
    told.collect()
}

fn awaited(world: &World, scene: &Scene, named: &Named, thread: usize, wait: Wait) -> (Awaited, String) {
    match wait {
        Wait::Monitor(object) => {
            let name = named.lock(world, object);
            let reason = match scene.monitor(object) {
                Some(monitor) => format!("{} holds `{name}`", actor(world, monitor.owner)),
                None => format!("others hold `{name}`"),
            };
            (Awaited::Lock(name), reason)
        }
        Wait::Signal(object) => {
            let name = named.lock(world, object);
            let reason = format!("no signal of `{name}` has woken it");
            (Awaited::Signal(name), reason)
        }
        Wait::Thread(other) => {
            (Awaited::End(other as u8), format!("{} has not ended", actor(world, other as u8)))
        }
        Wait::Class(other) => {
            (Awaited::Other, format!("{} initialises the class it needs", actor(world, other)))
        }
        Wait::Permit => parked(world, scene, named, thread),
    }
}

/// What a parked thread says it waits for.
fn parked(world: &World, scene: &Scene, named: &Named, thread: usize) -> (Awaited, String) {
    let field = |object: Ref, name: &str| {
        let of = scene.object(world, object)?;
        of.body.get(world.slot(of.class, name)?)
    };
    let own = scene.threads[thread].object;
    let Some(Value::Ref(blocker)) =
        field(own, "parkBlocker").filter(|of| !matches!(of, Value::Ref(of) if of.is_null()))
    else {
        return (Awaited::Other, "nobody has unparked it".to_owned());
    };
    let class = scene.object(world, blocker).map(|object| world.class(object.class).name.clone());
    let class = class.as_deref().unwrap_or_default();
    let name = named.lock(world, blocker);
    if class.ends_with("ConditionObject") {
        let reason = format!("no signal of `{name}` has woken it");
        return (Awaited::Signal(name), reason);
    }
    let owner = match field(blocker, "exclusiveOwnerThread") {
        Some(Value::Ref(owner)) if !owner.is_null() => scene.thread_of(owner),
        _ => None,
    };
    match owner {
        Some(owner) => {
            let reason = format!("{} holds `{name}`", actor(world, owner as u8));
            (Awaited::Lock(name), reason)
        }
        None if class.contains("CountDownLatch") || class.contains("Semaphore") => {
            let reason = format!("`{name}` does not let it pass");
            (Awaited::Counter(name), reason)
        }
        None => (Awaited::Other, format!("it waits for `{name}`")),
    }
}

pub(super) fn obstacles(narrator: &Narrator<'_>, state: &[u8]) -> Vec<Obstacle> {
    let told = all(narrator, state).into_iter().map(|waits| {
        let reads = match &waits.on {
            Awaited::Lock(name) | Awaited::Signal(name) | Awaited::Counter(name) => vec![name.clone()],
            _ => Vec::new(),
        };
        let Deed { actor, action, location } = waits.deed;
        Obstacle { actor, action, location, may_end: waits.may_end, on: waits.on, reads }
    });
    told.collect()
}

pub(super) fn waiting(narrator: &Narrator<'_>, state: &[u8]) -> Vec<Waiting> {
    let told = all(narrator, state).into_iter().map(|waits| {
        let Deed { actor, action, location } = waits.deed;
        let need = Need { action, location, reason: waits.reason };
        Waiting { actor, may_end: waits.may_end, needs: vec![need] }
    });
    told.collect()
}
