//! From a scene to bytes.

use super::numbers::{put, put_signed};
use super::{
    DAEMON, DOUBLE, ENDED, EXITED, FIRST_SMALL, FLOAT, INT, INTERRUPTED, LATE, LONG, NOTHING, NOTIFIED, NULL,
    PERMIT, REF, RUNNING, SMALL, STUCK, TIMED, WAITING,
};
use crate::scene::{Scene, Started, Thread};
use crate::value::{Body, Object, Ref, Value};
use crate::world::World;

/// Writes scenes; keeps its room.
#[derive(Debug, Default)]
pub(crate) struct Encoder {
    /// The new number of each object, from one.
    numbers: Vec<u32>,
    /// The objects by their new numbers.
    order: Vec<u32>,
    changed: Vec<u32>,
}

impl Encoder {
    /// Appends the state of a scene.
    pub(crate) fn encode(&mut self, world: &mut World, scene: &Scene, out: &mut Vec<u8>) {
        if let Some((need, line)) = scene.stuck {
            out.push(STUCK);
            put(out, u64::from(need.0));
            put(out, u64::from(line));
            return;
        }
        if scene.exited {
            out.push(EXITED);
            return;
        }
        out.push(RUNNING);
        self.numbers.clear();
        self.numbers.resize(scene.heap.len(), 0);
        self.order.clear();
        put(out, scene.threads.len() as u64);
        for thread in &scene.threads {
            self.thread(world, thread, out);
        }
        put_signed(out, i64::from(scene.hashes));
        out.push(scene.births);
        self.classes(world, scene, out);
        self.base(world, scene, out);
        let mut at = 0;
        while let Some(own) = self.order.get(at).copied() {
            self.object(scene, &scene.heap[own as usize], Ref::own(own as usize), out);
            at += 1;
        }
    }

    fn reference(&mut self, to: Ref, out: &mut Vec<u8>) {
        if let Some(base) = to.as_base() {
            put(out, base as u64 * 2 + 1);
            return;
        }
        let Some(own) = to.as_own() else {
            out.push(0);
            return;
        };
        let number = match self.numbers.get(own).copied() {
            Some(0) => {
                self.order.push(own as u32);
                let number = self.order.len() as u32;
                self.numbers[own] = number;
                number
            }
            Some(number) => number,
            None => 0,
        };
        put(out, u64::from(number) * 2);
    }

    fn value(&mut self, value: Value, out: &mut Vec<u8>) {
        match value {
            Value::Nothing => out.push(NOTHING),
            Value::Int(value) => match u8::try_from(value.saturating_add(SMALL)) {
                Ok(small) if small >= FIRST_SMALL => out.push(small),
                _ => {
                    out.push(INT);
                    put_signed(out, i64::from(value));
                }
            },
            Value::Long(value) => {
                out.push(LONG);
                put_signed(out, value);
            }
            Value::Float(value) => {
                out.push(FLOAT);
                out.extend(value.to_bits().to_le_bytes());
            }
            Value::Double(value) => {
                out.push(DOUBLE);
                out.extend(value.to_bits().to_le_bytes());
            }
            Value::Ref(to) if to.is_null() => out.push(NULL),
            Value::Ref(to) => {
                out.push(REF);
                self.reference(to, out);
            }
        }
    }

    fn thread(&mut self, world: &mut World, thread: &Thread, out: &mut Vec<u8>) {
        let flag = |set: bool, flag: u8| if set { flag } else { 0 };
        let waiting = thread.waiting;
        out.push(
            flag(thread.ended, ENDED)
                | flag(thread.daemon, DAEMON)
                | flag(thread.interrupted, INTERRUPTED)
                | flag(thread.permit, PERMIT)
                | flag(thread.late, LATE)
                | flag(waiting.is_some(), WAITING)
                | flag(waiting.is_some_and(|waiting| waiting.timed), TIMED)
                | flag(waiting.is_some_and(|waiting| waiting.notified), NOTIFIED),
        );
        put(out, u64::from(thread.started));
        if thread.ended {
            self.reference(thread.object, out);
            return;
        }
        self.reference(thread.object, out);
        if let Some(waiting) = waiting {
            self.reference(waiting.object, out);
            put(out, u64::from(waiting.count));
        }
        put(out, thread.calls.frames.len() as u64);
        for (at, frame) in thread.calls.frames.iter().enumerate() {
            put(out, u64::from(frame.method.0));
            put(out, u64::from(frame.op));
            self.reference(frame.lock, out);
            put(out, frame.initialises.map_or(0, |class| u64::from(class.0) + 1));
            let live = world.live(frame.method);
            let live = live.and_then(|live| live.get(frame.op as usize).copied()).unwrap_or(u64::MAX);
            let next =
                thread.calls.frames.get(at + 1).map_or(thread.calls.stack.len(), |next| next.base as usize);
            let locals = &thread.calls.stack[frame.base as usize..frame.operands as usize];
            let operands = &thread.calls.stack[frame.operands as usize..next];
            for (slot, value) in locals.iter().enumerate() {
                let is_live = slot >= 64 || live >> slot & 1 == 1;
                self.value(if is_live { *value } else { Value::Nothing }, out);
            }
            put(out, operands.len() as u64);
            for value in operands {
                self.value(*value, out);
            }
        }
    }

    fn classes(&mut self, world: &World, scene: &Scene, out: &mut Vec<u8>) {
        let started = scene.started.iter().filter(|started| **started != Started::No).count();
        put(out, started as u64);
        for (number, started) in scene.started.iter().enumerate() {
            let code = match started {
                Started::No => continue,
                Started::Done => 0,
                Started::Failed => 1,
                Started::By(thread) => 2 + u64::from(*thread),
            };
            put(out, number as u64);
            put(out, code);
        }
        let differs = |slot: usize, value: &Value| {
            !world.defaults.get(slot).is_some_and(|(default, _)| default.same(*value))
        };
        let count = scene.statics.iter().enumerate().filter(|(slot, value)| differs(*slot, value)).count();
        put(out, count as u64);
        for (slot, value) in scene.statics.iter().enumerate() {
            if differs(slot, value) {
                put(out, slot as u64);
                self.value(*value, out);
            }
        }
    }

    /// What differs from the base image.
    fn base(&mut self, world: &World, scene: &Scene, out: &mut Vec<u8>) {
        let mut changed = std::mem::take(&mut self.changed);
        changed.clear();
        let static_differs = |slot: &u32| !world.statics[*slot as usize].same(scene.changed_statics[slot]);
        changed.extend(scene.changed_statics.keys().copied().filter(static_differs));
        changed.sort_unstable();
        put(out, changed.len() as u64);
        for slot in &changed {
            put(out, u64::from(*slot));
            self.value(scene.changed_statics[slot], out);
        }
        changed.clear();
        let object_differs = |at: &u32| !world.base[*at as usize].same(&scene.changed[at]);
        changed.extend(scene.changed.keys().copied().filter(object_differs));
        changed.sort_unstable();
        put(out, changed.len() as u64);
        for at in &changed {
            put(out, u64::from(*at));
            let object = &scene.changed[at];
            put_signed(out, i64::from(object.hash));
            self.body(&object.body, out);
        }
        changed.clear();
        changed
            .extend(scene.monitors.iter().filter_map(|monitor| monitor.object.as_base().map(|at| at as u32)));
        changed.sort_unstable();
        put(out, changed.len() as u64);
        for at in &changed {
            put(out, u64::from(*at));
            self.monitor(scene, Ref::base(*at as usize), out);
        }
        self.changed = changed;
    }

    fn monitor(&mut self, scene: &Scene, object: Ref, out: &mut Vec<u8>) {
        match scene.monitor(object) {
            None => out.push(0),
            Some(monitor) => {
                out.push(monitor.owner + 1);
                put(out, u64::from(monitor.count));
            }
        }
    }

    fn object(&mut self, scene: &Scene, object: &Object, at: Ref, out: &mut Vec<u8>) {
        put(out, u64::from(object.class.0));
        put_signed(out, i64::from(object.hash));
        out.push(object.birth);
        self.monitor(scene, at, out);
        if !matches!(object.body, Body::Fields(_)) {
            put(out, object.body.length() as u64);
        }
        self.body(&object.body, out);
    }

    /// What an object holds. How much that is, and of which sort, its class and its length say.
    fn body(&mut self, body: &Body, out: &mut Vec<u8>) {
        match body {
            Body::Fields(values) => {
                for value in values {
                    match value {
                        Value::Nothing => out.push(0),
                        Value::Int(value) => put_signed(out, i64::from(*value)),
                        Value::Long(value) => put_signed(out, *value),
                        Value::Float(value) => out.extend(value.to_bits().to_le_bytes()),
                        Value::Double(value) => out.extend(value.to_bits().to_le_bytes()),
                        Value::Ref(to) => self.reference(*to, out),
                    }
                }
            }
            Body::Bytes(values) => out.extend(values.iter().map(|value| *value as u8)),
            Body::Chars(values) => values.iter().for_each(|value| put(out, u64::from(*value))),
            Body::Shorts(values) => values.iter().for_each(|value| put_signed(out, i64::from(*value))),
            Body::Ints(values) => values.iter().for_each(|value| put_signed(out, i64::from(*value))),
            Body::Longs(values) => values.iter().for_each(|value| put_signed(out, *value)),
            Body::Floats(values) => values.iter().for_each(|value| out.extend(value.to_bits().to_le_bytes())),
            Body::Doubles(values) => {
                values.iter().for_each(|value| out.extend(value.to_bits().to_le_bytes()))
            }
            Body::Refs(values) => values.iter().for_each(|to| self.reference(*to, out)),
        }
    }
}
