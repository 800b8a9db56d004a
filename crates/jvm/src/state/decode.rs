//! From bytes to a scene.

use super::numbers::Reader;
use super::{
    DAEMON, DOUBLE, ENDED, EXITED, FLOAT, INT, INTERRUPTED, LATE, LONG, NOTHING, NOTIFIED, NULL, PERMIT, REF,
    SMALL, STUCK, TIMED, WAITING,
};
use crate::code::Kind;
use crate::scene::{Frame, Monitor, Scene, Started, Thread, Waiting};
use crate::value::{Body, ClassId, MethodId, Object, Ref, Value};
use crate::world::{Need, World};

/// Reads a state that this world wrote.
pub(crate) fn decode(world: &World, state: &[u8], scene: &mut Scene) {
    scene.clear();
    let mut from = Reader::new(state);
    match from.byte() {
        STUCK => {
            scene.stuck = Some((Need(from.small()), from.small()));
            return;
        }
        EXITED => {
            scene.exited = true;
            return;
        }
        _ => {}
    }
    for _ in 0..from.count() {
        let thread = thread(world, &mut from);
        scene.threads.push(thread);
    }
    scene.hashes = from.signed() as i32;
    scene.births = from.byte();
    for _ in 0..from.count() {
        let (number, code) = (from.count(), from.number());
        if scene.started.len() <= number {
            scene.started.resize(number + 1, Started::No);
        }
        scene.started[number] = match code {
            0 => Started::Done,
            1 => Started::Failed,
            by => Started::By((by - 2) as u8),
        };
    }
    for _ in 0..from.count() {
        let (slot, value) = (from.count(), value(&mut from));
        let known = scene.statics.len();
        if known <= slot {
            scene.statics.extend(world.defaults[known..=slot].iter().map(|(default, _)| *default));
        }
        scene.statics[slot] = value;
    }
    for _ in 0..from.count() {
        let slot = from.small();
        scene.changed_statics.insert(slot, value(&mut from));
    }
    for _ in 0..from.count() {
        let at = from.small();
        let original = &world.base[at as usize];
        let hash = from.signed() as i32;
        let body = body(world, original.class, original.body.length(), &mut from);
        scene.changed.insert(at, Object { class: original.class, hash, birth: 0, shared: true, body });
    }
    for _ in 0..from.count() {
        let at = from.count();
        monitor(scene, Ref::base(at), &mut from);
    }
    while !from.is_done() {
        let class = ClassId(from.small());
        let hash = from.signed() as i32;
        let birth = from.byte();
        let at = Ref::own(scene.heap.len());
        monitor(scene, at, &mut from);
        let length = if world.class(class).element.is_some() { from.count() } else { 0 };
        let body = body(world, class, length, &mut from);
        scene.heap.push(Object { class, hash, birth, shared: false, body });
    }
}

fn reference(from: &mut Reader<'_>) -> Ref {
    let number = from.number();
    match number {
        0 => Ref::NULL,
        number if number & 1 == 1 => Ref::base((number >> 1) as usize),
        number => Ref::own((number >> 1) as usize - 1),
    }
}

fn value(from: &mut Reader<'_>) -> Value {
    match from.byte() {
        NOTHING => Value::Nothing,
        INT => Value::Int(from.signed() as i32),
        LONG => Value::Long(from.signed()),
        FLOAT => Value::Float(f32::from_bits(u32::from_le_bytes(from.four()))),
        DOUBLE => Value::Double(f64::from_bits(u64::from_le_bytes(from.eight()))),
        REF => Value::Ref(reference(from)),
        NULL => Value::NULL,
        small => Value::Int(i32::from(small) - SMALL),
    }
}

fn thread(world: &World, from: &mut Reader<'_>) -> Thread {
    let flags = from.byte();
    let is = |flag: u8| flags & flag != 0;
    let mut thread = Thread {
        ended: is(ENDED),
        daemon: is(DAEMON),
        interrupted: is(INTERRUPTED),
        permit: is(PERMIT),
        late: is(LATE),
        started: from.small(),
        object: reference(from),
        ..Thread::default()
    };
    if thread.ended {
        return thread;
    }
    if is(WAITING) {
        let (object, count) = (reference(from), from.small());
        thread.waiting = Some(Waiting { object, count, timed: is(TIMED), notified: is(NOTIFIED) });
    }
    for _ in 0..from.count() {
        let method = MethodId(from.small());
        let op = from.small();
        let lock = reference(from);
        let initialises = from.small().checked_sub(1).map(ClassId);
        let base = thread.calls.stack.len();
        let locals =
            world.method(method).code.as_ref().map_or(0, |linked| usize::from(linked.code.max_locals));
        for _ in 0..locals {
            thread.calls.stack.push(value(from));
        }
        let operands = thread.calls.stack.len();
        for _ in 0..from.count() {
            thread.calls.stack.push(value(from));
        }
        let (base, operands) = (base as u32, operands as u32);
        thread.calls.frames.push(Frame { method, op, base, operands, lock, initialises });
    }
    thread
}

fn monitor(scene: &mut Scene, object: Ref, from: &mut Reader<'_>) {
    if let Some(owner) = from.byte().checked_sub(1) {
        let count = from.small();
        scene.monitors.push(Monitor { object, owner, count });
    }
}

fn body(world: &World, class: ClassId, length: usize, from: &mut Reader<'_>) -> Body {
    let class = world.class(class);
    let Some((kind, _)) = class.element else {
        let field = |kind: &Kind| match kind {
            Kind::Long => Value::Long(from.signed()),
            Kind::Float => Value::Float(f32::from_bits(u32::from_le_bytes(from.four()))),
            Kind::Double => Value::Double(f64::from_bits(u64::from_le_bytes(from.eight()))),
            Kind::Ref => Value::Ref(reference(from)),
            _ => Value::Int(from.signed() as i32),
        };
        return Body::Fields(class.layout.iter().map(field).collect());
    };
    match kind {
        Kind::Boolean | Kind::Byte => Body::Bytes((0..length).map(|_| from.byte() as i8).collect()),
        Kind::Char => Body::Chars((0..length).map(|_| from.number() as u16).collect()),
        Kind::Short => Body::Shorts((0..length).map(|_| from.signed() as i16).collect()),
        Kind::Int => Body::Ints((0..length).map(|_| from.signed() as i32).collect()),
        Kind::Long => Body::Longs((0..length).map(|_| from.signed()).collect()),
        Kind::Float => {
            Body::Floats((0..length).map(|_| f32::from_bits(u32::from_le_bytes(from.four()))).collect())
        }
        Kind::Double => {
            Body::Doubles((0..length).map(|_| f64::from_bits(u64::from_le_bytes(from.eight()))).collect())
        }
        Kind::Ref => Body::Refs((0..length).map(|_| reference(from)).collect()),
    }
}
